"""What a customer does in the first hour, with nothing but the client, the address and the key."""

import sys
from pathlib import Path
from typing import Any

import zoetrope

file, image, video = map(Path, sys.argv[1:])
with zoetrope.Zoetrope() as client:
    painted = client.run("image-plus-2", {"prompt": "A paper boat", "resolution": "1k"})
    edited = client.run(
        "image-plus-2",
        # The link of one result is the input of the next.
        {"prompt": "The same at night", "urls": [painted.files[0].url], "resolution": "1k"},
    )
    edited.files[0].download(image)
    moving = client.run("sd2", {"prompt": "It sets off", "urls": [edited.files[0].url], "duration": "4s"})
    large = client.upscales.run(moving.files[0].url, "1080p")
    large.file.download(video)

    mine = client.run("image-plus-2", {"prompt": "My picture at night", "urls": [file], "resolution": "1k"})
    assert len(mine.files) == 1

    # A model that needs a review says that it waits for one; in this service a person decides.
    phases: list[str] = []
    try:
        client.run(
            "sd2",
            {"prompt": "It sets off", "urls": [file]},
            timeout=30,
            on_progress=lambda progress: phases.append(progress["phase"]),
        )
    except zoetrope.TimeoutError as error:
        assert error.phase == "review" and error.idempotency_key, error
    assert phases == ["upload", "review"], phases

    prompt = "A boat that nobody pays for"
    try:
        client.run("sd2-fast", {"prompt": prompt}, max_credit=1)
    except TypeError as error:
        assert "max_credit" in str(error)
    else:
        raise AssertionError("a misspelt option was ignored")
    try:
        client.run("sd2-fast", {"prompt": prompt, "lenght": 4})
    except zoetrope.InvalidParametersError as error:
        assert "lenght" in str(error)
    else:
        raise AssertionError("a misspelt input was ignored")
    whole: Any = {"model": "sd2-fast", "inputs": {"prompt": prompt}, "max_credits": 1}
    upscale: Any = {"source": moving, "targetResolution": "1080p", "max_credits": 1}
    try:
        client.tasks.create(whole)
    except zoetrope.InvalidParametersError as error:
        assert "max_credits" in str(error)
    else:
        raise AssertionError("a misspelt member was ignored")
    for result in client.batch([whole, upscale]):
        assert isinstance(result.error, zoetrope.InvalidParametersError), result
        assert "max_credits" in str(result.error)
    assert client.tasks.list(model="sd2-fast")["items"] == []
