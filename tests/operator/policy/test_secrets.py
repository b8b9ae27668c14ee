"""Where secrets come from, what they are bound to, what stands for them, and that no error shows one."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pyotp
import pytest

from gui_environments.errors import ActionRefused
from gui_environments.secrets import SecretText
from gui_environments.sights import ExpectedWindow
from gui_operator.policy import CallRequest, Rules, RulesWithSecrets, Secret, SecretError, Secrets
from gui_operator.policy.one_time_codes import LEFT_S, NoSeed, code_at, wait_for_code_s
from gui_operator.policy.secret_grammar import parse_secret
from gui_operator.policy.secret_sources import read_secret

VALUE = "hunter2-canary"
SEED = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def had(text: str, **variables: str) -> Secret:
    return read_secret(parse_secret(text), variables)


def text_of(secret: Secret) -> SecretText:
    return SecretText(secret.name, secret.value, secret.hosts, secret.windows)


def test_a_value_comes_from_the_environment_a_file_or_a_command(tmp_path: Path) -> None:
    path = tmp_path / "it's @ home.txt"
    path.write_text(VALUE + "\n")
    prints = shlex.join([sys.executable, "-c", f"print('{VALUE}', end='\\r\\n')"])
    assert had("A=env:TOKEN@example.com", TOKEN=VALUE).value == VALUE
    assert had(f"A=file:{path}@example.com").value == VALUE
    assert had(f"A=cmd:{prints}@example.com").value == VALUE


def test_the_last_at_sign_ends_the_source_so_that_paths_and_commands_may_hold_others(tmp_path: Path) -> None:
    option = parse_secret("A=cmd:pass show me@corp/x@y@example.com,window:Orders")
    assert option.source.place == "pass show me@corp/x@y"
    assert [str(host) for host in option.hosts] == ["example.com"]
    assert [str(window) for window in option.windows] == ["window:Orders"]


def test_a_secret_is_bound_to_hosts_as_they_are_listed() -> None:
    secret = text_of(had("A=env:X@*.example.com,https://shop.test:8443,127.0.0.1:8000", X=VALUE))
    assert secret.bound_to == "*.example.com and https://shop.test:8443 and 127.0.0.1:8000"
    allowed = (
        "https://www.example.com",
        "http://a.b.example.com:81",
        "https://shop.test:8443",
        "http://127.0.0.1:8000",
    )
    refused = (
        "https://example.com",
        "https://example.com.evil.test",
        "http://shop.test:8443",
        "https://shop.test",
        "http://127.0.0.1:8001",
        "http://localhost:8000",
        "null",
        "",
        "file://",
        "https://evil.test#www.example.com",
        "https://www.example.com@evil.test",
    )
    assert [origin for origin in allowed if not secret.may_go_to_origin(origin)] == []
    assert [origin for origin in refused if secret.may_go_to_origin(origin)] == []


def test_a_secret_is_bound_to_windows_by_their_application_and_title() -> None:
    secret = text_of(had("A=env:X@window:Orders,window:Toplevel/Sign in*[x]", X=VALUE))
    allowed = [ExpectedWindow(7, "anything", "orders"), ExpectedWindow(7, "Sign in to this [X]", "Toplevel")]
    refused = [
        ExpectedWindow(7, "Orders", "Toplevel"),
        ExpectedWindow(7, "Sign in x", "Toplevel"),
        ExpectedWindow(7, "Please Sign in [x]", "Toplevel"),
        ExpectedWindow(0, "", ""),
    ]
    assert all(map(secret.may_go_to_window, allowed))
    assert not any(map(secret.may_go_to_window, refused))
    assert not secret.may_go_to_origin("http://orders")


BAD = {
    "no name": f"env:{VALUE}",
    "a value in place of a source": f"A={VALUE}@example.com",
    "a value with a colon in place of a source": f"A={VALUE}:x@example.com",
    "a name with a space": f"A B=env:{VALUE}@example.com",
    "no place": "A=env:X",
    "an empty place": "A=env:X@",
    "one place of two empty": "A=env:X@example.com,",
    "no variable": "A=env:@example.com",
    "an unclear host": "A=env:X@http://example.com/path",
    "every host": "A=env:X@*",
    "a range": "A=env:X@intranet.corp=10.0.0.0/8",
    "no application": "A=env:X@window:",
    "any title": "A=env:X@window:Orders/*",
    "the browser's window": "A=env:X@window:Chromium",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_what_says_nothing_clear_is_an_error_that_shows_no_value(text: str) -> None:
    with pytest.raises(SecretError) as refused:
        parse_secret(text)
    assert VALUE not in str(refused.value)


def test_what_is_missing_empty_short_or_unreadable_is_an_error_that_shows_no_value(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "bytes").write_bytes(b"\xff" + VALUE.encode())
    (tmp_path / "long").write_text(VALUE * 10_000)
    (tmp_path / "control").write_text(VALUE + "\x1b[2J")
    failing = shlex.join([sys.executable, "-c", f"import sys; print('{VALUE}'); sys.exit('{VALUE}')"])
    sources = {
        "env:MISSING": "MISSING is not set",
        "env:EMPTY": "is empty",
        "env:SHORT": "shorter than 4",
        f"file:{tmp_path}/none": "No such file",
        f"file:{tmp_path}": "is no file",
        f"file:{tmp_path}/empty": "is empty",
        f"file:{tmp_path}/bytes": "not UTF-8",
        f"file:{tmp_path}/long": "more than 64 KiB",
        f"file:{tmp_path}/control": "control characters",
        "file:/dev/tty": "",
        "cmd:/no/such/program": "cannot be started",
        "cmd:echo 'x": "quotes",
        f"cmd:{failing}": "ended with status 1",
        "cmd:true": "is empty",
    }
    for source, words in sources.items():
        with pytest.raises(SecretError) as refused:
            had(f"A={source}@example.com", EMPTY="", SHORT="abc")
        assert words in str(refused.value), source
        assert VALUE not in str(refused.value).replace(failing, "")
        assert "abc" not in str(refused.value)


def test_no_value_is_in_the_words_for_a_secret() -> None:
    secret = had("A=env:X@example.com", X=VALUE)
    assert VALUE not in f"{secret!r} {text_of(secret)!r} {Secrets([secret]).masking!r} {Secrets([secret])!r}"


async def test_names_that_were_declared_are_filled_in_and_all_others_stay_as_they_are() -> None:
    secrets = Secrets([had("A=env:X@example.com", X=VALUE), had("B_2=env:X@other.test", X="other value")])
    a, b = (
        text_of(had(text, X=value))
        for text, value in (("A=env:X@example.com", VALUE), ("B_2=env:X@other.test", "other value"))
    )
    assert await secrets.filled("{{A}}") == (a,)
    assert await secrets.filled("me\t{{A}}{{B_2}}\n") == ("me\t", a, b, "\n")
    assert await secrets.filled("{{{A}}}") == ("{", a, "}")
    for text in ("", "A", "{{a}}", "{{ A }}", "{{C}}", "{{A.x}}", "{{A.TOTP}}", "{A}", "{{A", "{{C.totp}}"):
        assert await secrets.filled(text) is None, text


async def test_a_seed_gives_the_code_of_the_moment_which_is_kept_from_sight_as_well() -> None:
    uri = f"otpauth://totp/Portal:me?secret={SEED}&issuer=Portal&digits=8&period=60&algorithm=SHA256"
    spaced = " ".join(SEED[at : at + 4].lower() for at in range(0, len(SEED), 4))
    for value, reference in (
        (SEED, pyotp.TOTP(SEED)),
        (spaced, pyotp.TOTP(SEED)),
        (uri, pyotp.parse_uri(uri)),
    ):
        assert isinstance(reference, pyotp.TOTP)
        secrets = Secrets([Secret("A", value)])
        before = reference.now()
        pieces = await secrets.filled("{{A.totp}}")
        assert pieces is not None
        (code,) = pieces
        assert isinstance(code, SecretText)
        assert code.value in (before, reference.now())
        assert secrets.masking(f"code {code.value}") == "code [secret A]"
        assert secrets.masking(f"seed {SEED}") == "seed [secret A]"


def test_a_code_that_is_about_to_run_out_is_waited_for() -> None:
    # RFC 6238, appendix B, in six digits.
    seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    assert code_at(seed, 59.0) == ("287082", 1.0)
    assert code_at(seed, 1111111109.0)[0] == "081804"
    assert wait_for_code_s(seed, 59.0) == 1.0
    assert wait_for_code_s(seed, 60.0 - LEFT_S) == 0.0
    assert wait_for_code_s(seed, 60.0) == 0.0


async def test_a_code_of_what_is_no_seed_is_refused_without_a_value() -> None:
    for value in ("hunter2!", "otpauth://hotp/x?secret=JBSWY3DPEHPK3PXP&counter=1", "otpauth://totp/x?secret=hunter2!"):
        with pytest.raises(ActionRefused, match="cannot be filled in") as refused:
            await Secrets([Secret("A", value)]).filled("{{A.totp}}")
        assert "hunter2" not in str(refused.value)
        with pytest.raises(NoSeed) as no_seed:
            code_at(value, 0.0)
        assert no_seed.value.__cause__ is None
        assert "hunter2" not in str(no_seed.value)


SCRIPT = CallRequest("browser", "javascript_exec", "script", {"text": "1"})


@pytest.mark.parametrize(("said", "then"), [("allow", "ask"), ("ask", "ask"), ("deny", "deny")])
def test_once_a_secret_was_filled_in_scripts_are_asked_about(said: str, then: str) -> None:
    secrets = Secrets([Secret("A", VALUE)])
    rules = RulesWithSecrets(Rules.parse([f"javascript_exec={said}"], otherwise="allow"), secrets)
    assert rules.nearest(SCRIPT).verdict == said
    with pytest.raises(ActionRefused), secrets.being_filled():
        raise ActionRefused("nothing was typed")
    assert rules.nearest(SCRIPT).verdict == said
    with secrets.being_filled():
        assert rules.nearest(SCRIPT).verdict == then
    assert rules.nearest(SCRIPT).verdict == then
    assert rules.nearest(CallRequest(None, "bash", "shell", {})).verdict == "allow"
