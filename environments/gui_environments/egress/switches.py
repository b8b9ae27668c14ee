"""How programs are told to use the proxy and nothing else, as data. Starts nothing.

For Chromium these switches are a wall as far as Chromium keeps to them. For other programs the variables are a request:
one that ignores them goes round the proxy, unless there is no other way out.
"""

from __future__ import annotations

from gui_environments.egress.makers import NOWHERE
from gui_environments.egress.proxy import ProxyAddress


def chromium_switches(proxy: ProxyAddress) -> tuple[str, ...]:
    """The command line that leaves Chromium no other way out."""
    return (
        f"--proxy-server={proxy}",
        # Else loopback and link-local addresses are asked directly. Names that nobody has need not be asked for at all:
        # where Chromium is told to look for its maker's services.
        f"--proxy-bypass-list=<-loopback>;*.{NOWHERE}",
        # Names are resolved by the proxy. Here none is known, so that nothing can be looked up beside it.
        f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {proxy.host}",
        # No UDP: it would not go through the proxy.
        "--disable-quic",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    )


def proxy_variables(proxy: ProxyAddress) -> dict[str, str]:
    """The environment variables that most programs and libraries heed, in both spellings, with no host excepted."""
    names = ("http_proxy", "https_proxy", "all_proxy")
    spelled = [*names, *(name.upper() for name in names)]
    return dict.fromkeys(spelled, str(proxy)) | {"no_proxy": "", "NO_PROXY": ""}
