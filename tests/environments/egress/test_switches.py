"""How programs are told to use the proxy, as data; whether Chromium keeps to it, `test_browser_routes` shows."""

from __future__ import annotations

from gui_environments.egress import ProxyAddress, chromium_switches, proxy_variables


def test_chromium_is_given_a_proxy_with_no_exception_but_names_that_nobody_has_and_no_other_way() -> None:
    switches = chromium_switches(ProxyAddress("127.0.0.1", 4711))
    assert "--proxy-server=http://127.0.0.1:4711" in switches
    assert "--proxy-bypass-list=<-loopback>;*.invalid" in switches
    assert "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1" in switches
    assert "--disable-quic" in switches
    assert "--webrtc-ip-handling-policy=disable_non_proxied_udp" in switches


def test_other_programs_are_given_it_in_both_spellings_with_no_exception() -> None:
    variables = proxy_variables(ProxyAddress("::1", 4711))
    assert {variables[name] for name in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY")} == {
        "http://[::1]:4711"
    }
    assert variables["no_proxy"] == variables["NO_PROXY"] == ""
