"""A stand-in for the Messages API, served over HTTP on loopback, for tests that need a model.

    async def test_something(stand_in: StandIn) -> None:
        stand_in.play(calls(member("computer", "screenshot")), says("Done."))
        ... a client with base_url=stand_in.url ...
        assert stand_in.requests[-1].results == [...]

It plays a script (`script`) and refuses what the API refuses (`rules`). The fixture fails the test when a request was
refused or a thread was left that the test did not `expect`, or when the script was not played to its end. Where it is
stricter than the API: it refuses two messages of one role in a row, pictures over the limits in results of any tool,
and assistant turns that it did not send.
"""
