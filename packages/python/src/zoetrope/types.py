# Written from the OpenAPI document by tools/write_types.py: do not edit.
# ruff: noqa: E501, I001
"""The requests and responses of the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NewType, NotRequired, TypedDict, Union

from ._file_like import FileLike, Made

class CreateTaskAnswer(TypedDict):
    taskId: str

class QuoteTaskAnswerItems(TypedDict):
    item: Literal["output", "inputVideo", "upscale", "image", "discount"]
    description: str
    unit: Literal["second", "image", "task"]
    quantity: float
    creditsPerUnit: int
    # Negative for a discount.
    credits: int

class QuoteTaskAnswerNotes(TypedDict):
    param: str
    message: str

class QuoteTaskAnswer(TypedDict):
    # The credits that createTask would hold and, on success, charge. An upscale that is not performed
    # is not charged.
    credits: int
    # The items of the price; their credits add up to it.
    items: list[QuoteTaskAnswerItems]
    # The version of the price book that priced it, for `priceVersion` of the request.
    priceVersion: str
    # Where the task deviates from the request; omitted if it does not.
    notes: NotRequired[list[QuoteTaskAnswerNotes]]

class DeleteMediaAnswer(TypedDict):
    # Number of files deleted. Their links no longer work.
    deleted: int

class GenerationTaskOutput(TypedDict):
    url: str
    width: int
    height: int
    # The link works until then. After you deleted the media, the time of that. Epoch milliseconds.
    expiresAt: int | None
    # Such as video/mp4 or image/png.
    mediaType: str
    sizeBytes: int
    # null for an image.
    durationSeconds: float | None
    # A small WebP of the output, of at most 480 pixels a side, for as long as the output. null where
    # there is none.
    posterUrl: str | None
    # ThumbHash of the poster in base64, to show while it loads.
    thumbhash: str | None
    # The marks in the file that say that a model made it: visible, a text that viewers see; aigc, the
    # implicit label of GB 45438; c2pa, a signed manifest. Do not remove them.
    labels: list[Literal["visible", "aigc", "c2pa"]]

class GenerationTaskNotes(TypedDict):
    param: str
    message: str

class GenerationTask(TypedDict):
    taskId: str
    model: str
    status: Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED"]
    # The price of the task; 0 once it has failed and the hold is released.
    creditsUsed: int
    # null unless COMPLETED.
    output: list[GenerationTaskOutput] | None
    # Error message; null unless FAILED.
    error: str | None
    # Stable error code from the error catalogue; null unless FAILED.
    errorCode: str | None
    # Where the task deviates from the request; omitted if it does not.
    notes: NotRequired[list[GenerationTaskNotes]]
    # Epoch milliseconds.
    createTime: int
    # null until COMPLETED or FAILED.
    completeTime: int | None

class ListTasksQuery(TypedDict, total=False):
    kind: Literal["generation", "upscale"]
    # Only tasks of this model.
    model: str
    # Also for upscales, whose `validating` is PENDING.
    status: Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED"]
    # Only tasks that this API key created.
    key_id: str
    # Only tasks of this mode. A key sees the tasks of its own mode.
    mode: Literal["live", "test"]
    # Only tasks created at this time or later.
    from_: str
    # Only tasks created before this time.
    to: str
    # Only tasks whose prompt contains this text, where the operator enables it.
    prompt: str
    # The nextCursor of the previous page. Omit it for the first page.
    cursor: str
    # Maximum number of items per page.
    limit: int

class ListedGenerationTaskOutput(TypedDict):
    url: str
    width: int
    height: int
    # The link works until then. After you deleted the media, the time of that. Epoch milliseconds.
    expiresAt: int | None
    # Such as video/mp4 or image/png.
    mediaType: str
    sizeBytes: int
    # null for an image.
    durationSeconds: float | None
    # A small WebP of the output, of at most 480 pixels a side, for as long as the output. null where
    # there is none.
    posterUrl: str | None
    # ThumbHash of the poster in base64, to show while it loads.
    thumbhash: str | None
    # The marks in the file that say that a model made it: visible, a text that viewers see; aigc, the
    # implicit label of GB 45438; c2pa, a signed manifest. Do not remove them.
    labels: list[Literal["visible", "aigc", "c2pa"]]

class ListedGenerationTaskNotes(TypedDict):
    param: str
    message: str

class ListedGenerationTask(TypedDict):
    taskId: str
    model: str
    status: Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED"]
    # The price of the task; 0 once it has failed and the hold is released.
    creditsUsed: int
    # null unless COMPLETED.
    output: list[ListedGenerationTaskOutput] | None
    # Error message; null unless FAILED.
    error: str | None
    # Stable error code from the error catalogue; null unless FAILED.
    errorCode: str | None
    # Where the task deviates from the request; omitted if it does not.
    notes: NotRequired[list[ListedGenerationTaskNotes]]
    # Epoch milliseconds.
    createTime: int
    # null until COMPLETED or FAILED.
    completeTime: int | None
    kind: Literal["generation"]
    # test: created with a test key, and not paid for.
    mode: Literal["live", "test"]
    # The price: held while the task is open, then charged; 0 once it has failed.
    credits: int
    # The API key that created the task. null: it was created without one.
    keyId: str | None

class ListedUpscaleTaskResult(TypedDict):
    url: str
    width: int
    height: int
    # The link works until then. After you deleted the media, the time of that. Epoch milliseconds.
    expiresAt: int | None
    # Such as video/mp4 or image/png.
    mediaType: str
    sizeBytes: int
    # null for an image.
    durationSeconds: float | None
    # A small WebP of the output, of at most 480 pixels a side, for as long as the output. null where
    # there is none.
    posterUrl: str | None
    # ThumbHash of the poster in base64, to show while it loads.
    thumbhash: str | None
    # The marks in the file that say that a model made it: visible, a text that viewers see; aigc, the
    # implicit label of GB 45438; c2pa, a signed manifest. Do not remove them.
    labels: list[Literal["visible", "aigc", "c2pa"]]
    # Measured duration of the source.
    probedDurationSeconds: float
    # Measured resolution of the source, <width>x<height>.
    probedSourceResolution: str

class ListedUpscaleTaskError(TypedDict):
    code: str
    message: str

class ListedUpscaleTask(TypedDict):
    taskId: str
    status: Literal["validating", "processing", "completed", "failed"]
    targetResolution: Literal["1080p", "2k", "4k"]
    # Progress in percent. Never decreases while the task runs; 100 once completed, 0 once failed.
    progress: int
    # null unless completed.
    creditsConsumed: int | None
    # null unless completed.
    result: ListedUpscaleTaskResult | None
    # null unless failed.
    error: ListedUpscaleTaskError | None
    # ISO 8601, UTC.
    createdAt: str
    # null until the task has ended. ISO 8601, UTC.
    finishedAt: str | None
    kind: Literal["upscale"]
    model: str
    # test: created with a test key, and not paid for.
    mode: Literal["live", "test"]
    # The price: held while the task is open, then charged; 0 once it has failed.
    credits: int
    # The API key that created the task. null: it was created without one.
    keyId: str | None

class ListTasksAnswer(TypedDict):
    items: list[Union[ListedGenerationTask, ListedUpscaleTask]]
    # null on the last page. A page with a filter can have fewer items than `limit`, or none, and
    # still have a nextCursor: the search continues there.
    nextCursor: str | None

class QueryTasksAnswer(TypedDict):
    # In the order of `taskIds`, each once.
    tasks: list[Union[ListedGenerationTask, ListedUpscaleTask]]
    # The ids that are not a task of this account.
    notFound: list[str]

class QueryTasksBody(TypedDict):
    # Ids of generation and upscale tasks.
    taskIds: list[str]

TimelineEntrySegments = TypedDict("TimelineEntrySegments", {
    "number": int,
    "from": int | None,
    "to": int | None,
})

TimelineEntry = TypedDict("TimelineEntry", {
    "event": Literal["accepted", "submit", "vendorAccepted", "vendorFinished", "stored", "upscaled", "finished", "delivery"],
    "state": Literal["waiting", "working"],
    "from": int,
    "to": int | None,
    "outcome": NotRequired[str | None],
    "errorCode": NotRequired[str | None],
    "segmentCount": NotRequired[int],
    "segments": NotRequired[list[TimelineEntrySegments]],
    "deliveryId": NotRequired[str],
    "url": NotRequired[str],
    "attempt": NotRequired[int],
    "status": NotRequired[int | None],
    "reason": NotRequired[str | None],
})

class ReadTimelineAnswer(TypedDict):
    taskId: str
    kind: Literal["generation", "upscale"]
    # How long the task waited until it finished, so far.
    waitingMs: int
    # How long it was worked on.
    workingMs: int
    entries: list[TimelineEntry]

class ReadRequestAnswerItems(TypedDict):
    item: Literal["output", "inputVideo", "upscale", "image", "discount"]
    description: str
    unit: Literal["second", "image", "task"]
    quantity: float
    creditsPerUnit: int
    # Negative for a discount.
    credits: int

class ReadRequestAnswer(TypedDict):
    taskId: str
    kind: Literal["generation", "upscale"]
    model: str
    # The inputs in their normal form, with the defaults filled in; of an upscale `source` and
    # `targetResolution`. Creating a task with them asks for the same. null if they are not known any
    # more.
    inputs: Mapping[str, Any] | None
    # Why `inputs` is null: what you wrote was deleted after its retention period, the model is not
    # offered any more, or the source of the upscale was deleted.
    inputsMissing: Literal["purged", "model_removed", "asset_deleted"] | None
    callBackUrl: str | None
    # Of an upscale: the limit that its measured price must keep. Otherwise null.
    maxCredits: int | None
    # The items of the price; their credits add up to it. null if they are not known.
    items: list[ReadRequestAnswerItems] | None
    # Epoch milliseconds.
    createdAt: int

class ModelDeprecation(TypedDict):
    # Date of the announcement.
    since: str
    # Date from which the model is no longer available.
    sunset: str
    # URL with migration instructions.
    link: str

class ModelModes(TypedDict):
    mode: str
    # Name for display.
    title: str
    description: str
    # The inputs that select this mode.
    when: str

class ModelPrices1Seconds(TypedDict):
    outputResolution: str
    creditsPerSecond: int
    creditsPerSecondWithVideo: int | None

class ModelPrices1Upscale(TypedDict):
    upscaleResolution: str
    creditsPerSecond: int

class ModelPrices1(TypedDict):
    formula: str
    seconds: list[ModelPrices1Seconds]
    upscale: list[ModelPrices1Upscale]

class ModelPrices2Images(TypedDict):
    resolution: str
    quality: str | None
    creditsPerImage: int

class ModelPrices2(TypedDict):
    formula: str
    images: list[ModelPrices2Images]

class Model(TypedDict):
    model: str
    kind: Literal["video", "image"]
    # Name for display.
    title: str
    summary: str
    # null unless the model is deprecated.
    deprecation: ModelDeprecation | None
    modes: list[ModelModes]
    # JSON Schema of `inputs`: one alternative per mode, titled with its name. Its `x-` keywords
    # describe a form.
    inputs: Mapping[str, Any]
    prices: Union[ModelPrices1, ModelPrices2]
    # A task that reaches this age fails and is not charged.
    ageMaxSeconds: float

class UpscalerTargets(TypedDict):
    targetResolution: str
    # Short side of the output in pixels.
    shortSide: int
    creditsPerSecond: int

class Upscaler(TypedDict):
    formula: str
    targets: list[UpscalerTargets]
    # Shorter videos cost as much as this.
    secondsBilledMin: int
    # The most seconds a source may have, counted as for its price.
    secondsMax: int
    # Of a video with more frames a second, the frames divided by this count as its seconds.
    framesPerSecondBilled: int
    sizeBytesMax: int
    # A task that reaches this age fails and is not charged.
    ageMaxSeconds: float

class ListModelsAnswerPricesDiscount(TypedDict):
    # Hundredths of a per cent.
    basisPoints: int
    # Epoch milliseconds: its end.
    until: int

class ListModelsAnswerPricesChangeRates(TypedDict):
    # `upscale` is the upscaler.
    model: str
    # The rate key, such as `720p.withVideo`.
    rate: str
    # Credits; null: it was not for sale.
    before: int | None
    # Credits; null: no longer for sale.
    after: int | None

class ListModelsAnswerPricesChange(TypedDict):
    priceVersion: str
    # Epoch milliseconds.
    validFrom: int
    # What changes.
    rates: list[ListModelsAnswerPricesChangeRates]

class ListModelsAnswerPrices(TypedDict):
    """What the account pays by."""

    # The version of the price book that priced it, for `priceVersion` of the request.
    priceVersion: str
    # Taken off the sum of every task; null: none.
    discount: ListModelsAnswerPricesDiscount | None
    # The next version and when it begins; null: none is published.
    change: ListModelsAnswerPricesChange | None

class ListModelsAnswer(TypedDict):
    models: list[Model]
    upscaler: Upscaler
    # What the account pays by.
    prices: ListModelsAnswerPrices

class CreateUpscaleAnswer(TypedDict):
    taskId: str
    # The id of the hold in the ledger.
    orderId: str
    status: Literal["validating"]

class CreateUpscaleBodySource1(TypedDict):
    type: Literal["url"]
    # A public https URL of an MP4, MOV or WebM file of at most 200 MB and 600 s, or the link of one
    # of your outputs.
    url: str
    # Blank or left out.
    storageUrl: NotRequired[Literal[""]]

class CreateUpscaleBodySource2(TypedDict):
    type: Literal["uploadId"]
    # The storageUrl of one of your assets; its review does not matter. If its copy is not stored yet,
    # the task waits for it.
    storageUrl: str
    # Blank or left out.
    url: NotRequired[Literal[""]]

class CreateUpscaleBodySource3(TypedDict):
    type: Literal["task"]
    # A completed task of yours, of either kind, whose output is a video.
    taskId: str
    # Which of its outputs; the first, 0, by default.
    index: NotRequired[int | None]
    # Blank or left out.
    url: NotRequired[Literal[""]]
    # Blank or left out.
    storageUrl: NotRequired[Literal[""]]

class CreateUpscaleBody(TypedDict):
    source: Union[CreateUpscaleBodySource1, CreateUpscaleBodySource2, CreateUpscaleBodySource3]
    # Short side of 1080, 1440 or 2160 pixels with the aspect ratio kept. Must be higher than the
    # short side of the source.
    targetResolution: Literal["1080p", "2k", "4k"]
    # Called when the task is completed or failed. A public http or https URL.
    callBackUrl: NotRequired[str | None]
    # Refuse the task with 402 if its price exceeds this. A source that is longer than it is known to
    # be ends the task with price_above_max, and costs nothing.
    maxCredits: NotRequired[int | None]
    # The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end.
    # Later the request is refused with 409 price_changed.
    priceVersion: NotRequired[str | None]

class QuoteUpscaleAnswerItems(TypedDict):
    item: Literal["output", "inputVideo", "upscale", "image", "discount"]
    description: str
    unit: Literal["second", "image", "task"]
    quantity: float
    creditsPerUnit: int
    # Negative for a discount.
    credits: int

class QuoteUpscaleAnswer(TypedDict):
    # The credits that upscale/create would hold.
    credits: int
    # The seconds that are billed.
    seconds: int
    # Whether the duration of the source and its frames, which count above 60 a second, are known. If
    # not, this is the least price: the hold is raised once the source is measured.
    isMeasured: bool
    # The items of the price.
    items: list[QuoteUpscaleAnswerItems]
    # The version of the price book that priced it, for `priceVersion` of the request.
    priceVersion: str

class QuoteUpscaleBodySource1(TypedDict):
    type: Literal["url"]
    # A public https URL of an MP4, MOV or WebM file of at most 200 MB and 600 s, or the link of one
    # of your outputs.
    url: str
    # Blank or left out.
    storageUrl: NotRequired[Literal[""]]

class QuoteUpscaleBodySource2(TypedDict):
    type: Literal["uploadId"]
    # The storageUrl of one of your assets; its review does not matter. If its copy is not stored yet,
    # the task waits for it.
    storageUrl: str
    # Blank or left out.
    url: NotRequired[Literal[""]]

class QuoteUpscaleBodySource3(TypedDict):
    type: Literal["task"]
    # A completed task of yours, of either kind, whose output is a video.
    taskId: str
    # Which of its outputs; the first, 0, by default.
    index: NotRequired[int | None]
    # Blank or left out.
    url: NotRequired[Literal[""]]
    # Blank or left out.
    storageUrl: NotRequired[Literal[""]]

class QuoteUpscaleBody(TypedDict):
    source: Union[QuoteUpscaleBodySource1, QuoteUpscaleBodySource2, QuoteUpscaleBodySource3]
    # Short side of 1080, 1440 or 2160 pixels with the aspect ratio kept. Must be higher than the
    # short side of the source.
    targetResolution: Literal["1080p", "2k", "4k"]
    # Called when the task is completed or failed. A public http or https URL.
    callBackUrl: NotRequired[str | None]
    # Refuse the task with 402 if its price exceeds this. A source that is longer than it is known to
    # be ends the task with price_above_max, and costs nothing.
    maxCredits: NotRequired[int | None]
    # The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end.
    # Later the request is refused with 409 price_changed.
    priceVersion: NotRequired[str | None]

class UpscaleTaskResult(TypedDict):
    url: str
    width: int
    height: int
    # The link works until then. After you deleted the media, the time of that. Epoch milliseconds.
    expiresAt: int | None
    # Such as video/mp4 or image/png.
    mediaType: str
    sizeBytes: int
    # null for an image.
    durationSeconds: float | None
    # A small WebP of the output, of at most 480 pixels a side, for as long as the output. null where
    # there is none.
    posterUrl: str | None
    # ThumbHash of the poster in base64, to show while it loads.
    thumbhash: str | None
    # The marks in the file that say that a model made it: visible, a text that viewers see; aigc, the
    # implicit label of GB 45438; c2pa, a signed manifest. Do not remove them.
    labels: list[Literal["visible", "aigc", "c2pa"]]
    # Measured duration of the source.
    probedDurationSeconds: float
    # Measured resolution of the source, <width>x<height>.
    probedSourceResolution: str

class UpscaleTaskError(TypedDict):
    code: str
    message: str

class UpscaleTask(TypedDict):
    taskId: str
    status: Literal["validating", "processing", "completed", "failed"]
    targetResolution: Literal["1080p", "2k", "4k"]
    # Progress in percent. Never decreases while the task runs; 100 once completed, 0 once failed.
    progress: int
    # null unless completed.
    creditsConsumed: int | None
    # null unless completed.
    result: UpscaleTaskResult | None
    # null unless failed.
    error: UpscaleTaskError | None
    # ISO 8601, UTC.
    createdAt: str
    # null until the task has ended. ISO 8601, UTC.
    finishedAt: str | None

class Asset(TypedDict):
    assetId: int
    # Referenced in inputs as asset://<upstreamAssetId>.
    upstreamAssetId: str
    type: Literal["IMAGE", "AUDIO", "VIDEO"]
    status: Literal["NONE", "PROCESSING", "ACTIVE", "FAILED"]
    failReason: str | None
    # The submitted URL, unchanged. For a direct upload, the storageUrl.
    url: str
    # URL of the stored copy; it never changes. The upscaler accepts it as a source. It serves the
    # file once the review has passed.
    storageUrl: str
    # A signed link to the stored copy, valid for one hour, also during review. null until the copy is
    # stored and once the asset has failed.
    previewUrl: str | None
    name: str | None
    # Epoch milliseconds.
    createdAt: int
    width: int | None
    height: int | None
    # Size in bytes.
    size: int | None
    # Duration in seconds; null for images.
    duration: float | None
    # The models that take the asset now. A model that needs no review takes it as soon as it is
    # stored.
    usableBy: list[str]
    # The models that take the asset once its review has passed.
    usableAfterReview: list[str]

class DeclarationInput(TypedDict):
    """What you declare about the real people that the file shows. Reviewers read it."""

    # Who is shown: names, or how they are called.
    people: str
    # What they agreed to.
    purpose: str
    # The signed form: the uploadId of a direct upload of type DOCUMENT whose chunks have all been
    # received.
    formUploadId: NotRequired[str | None]

class UploadAssetBody(TypedDict):
    # Public URL of the file, which is fetched once; a copy is stored. An output of a task is saved to
    # the library by task://<taskId>/<index> or its link: nothing is fetched, and the asset that the
    # account has of it is answered.
    url: str
    # The type of the file, which must match its content.
    type: Literal["IMAGE", "AUDIO", "VIDEO"]
    # A label for your own use.
    name: NotRequired[str | None]
    declaration: NotRequired[DeclarationInput | None]

class ListAssetsQuery(TypedDict, total=False):
    type: Literal["IMAGE", "AUDIO", "VIDEO"]
    status: Literal["NONE", "PROCESSING", "ACTIVE", "FAILED"]
    # Only assets whose name contains this text, in either case.
    name: str
    # The nextCursor of the previous page. Omit it for the first page.
    cursor: int
    # Most items of a page. A page with `name` can have fewer, or none, before the last.
    limit: int

class ListAssetsAnswer(TypedDict):
    items: list[Asset]
    # null on the last page.
    nextCursor: int | None

class ReadDeclarationAnswer(TypedDict):
    assetId: int
    people: str
    purpose: str
    # Its content type, once it is stored.
    formType: str | None
    # A signed link to the form, valid for one hour; null without one.
    formUrl: str | None
    # Epoch milliseconds.
    declaredAt: int

class DeleteAssetAnswer(TypedDict):
    assetId: int
    upstreamAssetId: str
    deleted: Literal[True]

class UploadChunks(TypedDict):
    # Starts at 0. The chunk starts at byte `number` x `chunkBytes`.
    number: int
    # Exact size of the chunk in bytes.
    size: int
    method: Literal["PUT"]
    # PUT the bytes of the chunk here, without an API key. Valid for at most one hour.
    url: str

class Upload(TypedDict):
    uploadId: str
    # Size of the whole file in bytes.
    size: int
    # Size of every chunk in bytes, except the last, which may be smaller.
    chunkBytes: int
    # The chunks that are still missing, with new links.
    chunks: list[UploadChunks]
    # Numbers of the chunks that have been received.
    received: list[int]
    # The upload can be resumed until then. Epoch milliseconds.
    expiresAt: int
    # null until the upload is completed. At once the asset that the account has of the same bytes:
    # there are no chunks to send.
    asset: Asset | None

class CreateUploadBody(TypedDict):
    # A label for your own use.
    name: NotRequired[str | None]
    # The type of the file, which must match its content. DOCUMENT: the signed form of a declaration,
    # at most 10 MB.
    type: Literal["IMAGE", "AUDIO", "VIDEO", "DOCUMENT"]
    # Size of the whole file in bytes.
    size: int
    # SHA-256 of the whole file. If the account has an asset of this type with these bytes, `asset` is
    # that one and there is nothing to send. Otherwise the asset fails when the bytes do not match.
    sha256: NotRequired[str | None]
    # false: makes an asset of its own, although the account has one of the same bytes. Needed to
    # declare something about a file that is in the library.
    reuse: NotRequired[bool | None]

class CompleteUploadBody(TypedDict):
    # The uploadId returned when the upload was created.
    uploadId: str
    declaration: NotRequired[DeclarationInput | None]
    # false: makes an asset of its own, although the account has one of the same bytes. Needed to
    # declare something about a file that is in the library.
    reuse: NotRequired[bool | None]

class ReadCreditsAnswer(TypedDict):
    # The settled balance: captured tasks are deducted, open holds are not.
    credits: int
    # `credits` minus the holds of open tasks.
    availableCredits: int
    # Tasks that the account can have open at once.
    openTasksMax: int
    # How many more it can have now. At 0, a new task is refused with 429.
    openTasksLeft: int

class ReadLedgerQuery(TypedDict, total=False):
    # The nextCursor of the previous page. Omit it for the first page.
    cursor: int
    # Number of items per page.
    limit: int

class Transfer(TypedDict):
    # Consecutive within the account, starting at 1.
    number: int
    # A task holds its price, raises the hold if the price becomes known later, and ends with a
    # capture (charged) or a release (refunded). An expiry takes what is left of credits that were
    # granted until a certain time.
    kind: Literal["grant", "hold", "raise", "capture", "release", "adjust", "expiry"]
    # Credits. Negative for an adjustment that deducts credits and for a raise that reduces a hold.
    amount: int
    # The task that caused the entry, if any.
    taskId: str | None
    # `credits` after this entry.
    credits: int
    # `availableCredits` after this entry.
    availableCredits: int
    note: str | None
    # Epoch milliseconds.
    time: int

class ReadLedgerAnswer(TypedDict):
    items: list[Transfer]
    # null on the last page.
    nextCursor: int | None

class ListRequestsQuery(TypedDict, total=False):
    # Only this request: the `X-Request-Id` of its response.
    request_id: str
    # Only requests with this status, such as `404`, or class, such as `4xx`.
    status: str
    # Only requests at this time or later.
    from_: str
    # Only requests before this time.
    to: str
    # The nextCursor of the previous page. Omit it for the first page.
    cursor: str
    # Most items of a page. A page with a filter can have fewer, or none.
    limit: int

class LoggedRequestActor(TypedDict):
    kind: Literal["key", "person"]
    id: str
    # If it still exists.
    name: str | None

class LoggedRequest(TypedDict):
    requestId: str
    # When it came. Epoch milliseconds.
    time: int
    method: str
    # The path, with the names of its parameters.
    route: str
    status: int
    # null: it was not refused.
    errorCode: str | None
    # Until the response was sent; for a stream, its length.
    durationMs: int
    actor: LoggedRequestActor

class ListRequestsAnswer(TypedDict):
    items: list[LoggedRequest]
    # null on the last page.
    nextCursor: str | None

class ReadUsageQuery(TypedDict, total=False):
    # Length of the intervals. They begin and end in UTC.
    by: Literal["hour", "day", "month"]
    # An item for each value within an interval; without it, one item.
    group: Literal["model", "key", "status"]
    # The first interval is the one that contains this time. By default 24 hours, 30 days or 12 months
    # before `to`.
    from_: str
    # Intervals that begin before this time are included; by default now. At most 31 days, 732 days or
    # 60 months after `from`.
    to: str
    # The nextCursor of the previous page. Omit it for the first page.
    cursor: str
    # Number of items per page.
    limit: int

class UsageItem(TypedDict):
    # Beginning of the interval. Epoch milliseconds.
    start: int
    # The model, the keyId or the status, by `group`. null without `group`, and for tasks that no key
    # created.
    value: str | None
    # With `group=key`: the name of the key.
    name: str | None
    # Tasks that completed in this interval.
    completed: int
    # Tasks that failed in this interval.
    failed: int
    # Credits charged: the captures that the ledger has in this interval.
    credits: int
    # Total length of the videos that were made.
    videoSeconds: float

ReadUsageAnswer = TypedDict("ReadUsageAnswer", {
    "by": Literal["hour", "day", "month"],
    "group": Literal["model", "key", "status"] | None,
    "from": int,
    "to": int,
    "items": list[UsageItem],
    "nextCursor": str | None,
})

class ListKeysQuery(TypedDict, total=False):
    # The nextCursor of the previous page. Omit it for the first page.
    cursor: str
    # Number of items per page.
    limit: int

class KeyCreatedBy(TypedDict):
    kind: Literal["person", "key", "operator"]
    # Of the person or key.
    id: str | None

class Key(TypedDict):
    keyId: str
    name: str
    # The beginning of the key, to recognise it by.
    hint: str
    mode: Literal["live", "test"]
    status: Literal["live", "expired", "revoked"]
    # null: all except `keys`.
    scopes: list[Literal["tasks", "assets", "webhooks", "account", "keys", "read"]] | None
    # null: all.
    models: list[str] | None
    # null: the limit of the deployment.
    requestsPerMinuteMax: int | None
    # The budget; null: no limit.
    creditsMax: int | None
    # The budget minus what the tasks of the key cost or hold; null: no limit.
    creditsLeft: int | None
    # Epoch milliseconds.
    createdAt: int
    createdBy: KeyCreatedBy
    expiresAt: int | None
    revokedAt: int | None
    # The minute of the last request, in epoch milliseconds. null: never used.
    lastUsedAt: int | None

class ListKeysAnswer(TypedDict):
    items: list[Key]
    # null on the last page.
    nextCursor: str | None

class CreateKeyAnswerCreatedBy(TypedDict):
    kind: Literal["person", "key", "operator"]
    # Of the person or key.
    id: str | None

class CreateKeyAnswer(TypedDict):
    keyId: str
    name: str
    # The beginning of the key, to recognise it by.
    hint: str
    mode: Literal["live", "test"]
    status: Literal["live", "expired", "revoked"]
    # null: all except `keys`.
    scopes: list[Literal["tasks", "assets", "webhooks", "account", "keys", "read"]] | None
    # null: all.
    models: list[str] | None
    # null: the limit of the deployment.
    requestsPerMinuteMax: int | None
    # The budget; null: no limit.
    creditsMax: int | None
    # The budget minus what the tasks of the key cost or hold; null: no limit.
    creditsLeft: int | None
    # Epoch milliseconds.
    createdAt: int
    createdBy: CreateKeyAnswerCreatedBy
    expiresAt: int | None
    revokedAt: int | None
    # The minute of the last request, in epoch milliseconds. null: never used.
    lastUsedAt: int | None
    # The API key. Store it now: it is not shown again.
    key: str

class CreateKeyBody(TypedDict):
    # A label for your own use.
    name: str
    # test: the key belongs to the test account, which runs on the sandbox with credits that nobody
    # paid for.
    mode: NotRequired[Literal["live", "test"]]
    # What the key may do; null: everything except creating, changing and revoking keys, for which a
    # key needs the scope `keys` by name.
    scopes: NotRequired[list[Literal["tasks", "assets", "webhooks", "account", "keys", "read"]] | None]
    # Which models the key may use; null: all.
    models: NotRequired[list[Literal["upscale", "sd2", "sd2-fast", "happyhorse", "image-pro-2", "image-plus-2"]] | None]
    # null: the limit of the deployment.
    requestsPerMinuteMax: NotRequired[int | None]
    # The budget: what the tasks of the key may cost in all. null: no limit.
    creditsMax: NotRequired[int | None]
    # When the key stops working. null: never.
    expiresAt: NotRequired[str | None]

class ChangeKeyBody(TypedDict):
    # A label for your own use.
    name: NotRequired[str]
    # What the key may do; null: everything except creating, changing and revoking keys, for which a
    # key needs the scope `keys` by name.
    scopes: NotRequired[list[Literal["tasks", "assets", "webhooks", "account", "keys", "read"]] | None]
    # Which models the key may use; null: all.
    models: NotRequired[list[Literal["upscale", "sd2", "sd2-fast", "happyhorse", "image-pro-2", "image-plus-2"]] | None]
    # null: the limit of the deployment.
    requestsPerMinuteMax: NotRequired[int | None]
    # The budget: what the tasks of the key may cost in all. null: no limit.
    creditsMax: NotRequired[int | None]
    # When the key stops working. null: never.
    expiresAt: NotRequired[str | None]

class RevokeKeyAnswer(TypedDict):
    keyId: str
    revoked: Literal[True]

class ListDeliveriesQuery(TypedDict, total=False):
    # Only deliveries of this task.
    task_id: str
    # Only deliveries to this endpoint. Not with taskId or outcome=pending.
    endpoint_id: str
    # pending: more attempts will be made. failed: no more attempts will be made.
    outcome: Literal["pending", "delivered", "failed"]
    # The nextCursor of the previous page. Omit it for the first page.
    cursor: str
    # Number of items per page.
    limit: int

class DeliveryAttempts(TypedDict):
    number: int
    # Epoch milliseconds.
    at: int
    # HTTP status of the receiver's response, if any.
    status: int | None
    # null while the attempt is running.
    durationMs: int | None
    # Why the attempt failed; null after a 2xx.
    reason: str | None

class Delivery(TypedDict):
    deliveryId: str
    # Sent as the webhook-id header of every attempt.
    webhookId: str
    # null for a test event and for events that no task causes.
    taskId: str | None
    # null for the callback of a task.
    endpointId: str | None
    url: str
    # The type of the event, as in `GET /api/v1/events`; `test` for a test event.
    type: str
    outcome: Literal["pending", "delivered", "failed"]
    # Epoch milliseconds.
    createdAt: int
    deliveredAt: int | None
    # null when no attempt is due.
    nextAttemptAt: int | None
    attempts: list[DeliveryAttempts]

class ListDeliveriesAnswer(TypedDict):
    items: list[Delivery]
    # null on the last page.
    nextCursor: str | None

class ReadDeliveryAnswerAttempts(TypedDict):
    number: int
    # Epoch milliseconds.
    at: int
    # HTTP status of the receiver's response, if any.
    status: int | None
    # null while the attempt is running.
    durationMs: int | None
    # Why the attempt failed; null after a 2xx.
    reason: str | None

class ReadDeliveryAnswer(TypedDict):
    deliveryId: str
    # Sent as the webhook-id header of every attempt.
    webhookId: str
    # null for a test event and for events that no task causes.
    taskId: str | None
    # null for the callback of a task.
    endpointId: str | None
    url: str
    # The type of the event, as in `GET /api/v1/events`; `test` for a test event.
    type: str
    outcome: Literal["pending", "delivered", "failed"]
    # Epoch milliseconds.
    createdAt: int
    deliveredAt: int | None
    # null when no attempt is due.
    nextAttemptAt: int | None
    attempts: list[ReadDeliveryAnswerAttempts]
    # The exact bytes that are signed and sent.
    body: str

class DeliverAgainAnswer(TypedDict):
    # Number of deliveries that are queued for redelivery.
    queued: int
    # The range contains more deliveries. Repeat the request.
    isMore: bool

class SendTestEventAnswer(TypedDict):
    deliveryId: str

class SendTestEventBody(TypedDict):
    # Where to. Required unless endpointId is given.
    url: NotRequired[str]
    # Instead of url: to this endpoint.
    endpointId: NotRequired[str]

class ReadEventsQuery(TypedDict, total=False):
    # The next of the previous response. 0, the default, starts at the oldest event kept; a stream
    # without it starts now.
    after: int
    # desc lists the newest events first. A stream is always in order.
    order: Literal["asc", "desc"]
    # With order=desc: the next of the previous response.
    before: int
    # Number of items per page.
    limit: int

class Event(TypedDict):
    # Increases with every event; there may be gaps.
    number: int
    # generation.completed, generation.failed, upscale.completed or upscale.failed.
    type: str
    # The webhook-id header of its callback.
    webhookId: str
    taskId: str
    # Epoch milliseconds.
    createdAt: int
    # The task as sent in its callback.
    data: Mapping[str, Any]

class ReadEventsAnswer(TypedDict):
    events: list[Event]
    # Send it as `after` to read the following events.
    next: int
    hasMore: bool

class ReadWebhookSecretAnswer(TypedDict):
    # Secret in the Standard Webhooks format, whsec_….
    secret: str
    # The previous secret also signs until then. Epoch milliseconds.
    previousUntil: int | None

class RotateWebhookSecretAnswer(TypedDict):
    # Secret in the Standard Webhooks format, whsec_….
    secret: str
    # The previous secret also signs until then. Epoch milliseconds.
    previousUntil: int | None

class RotateWebhookSecretBody(TypedDict):
    # How long the previous secret keeps signing beside the new one.
    overlapHours: NotRequired[int]

class WebhookEndpointHealth(TypedDict):
    # HTTP status of the last response, if any.
    status: int | None
    # Why the last attempt failed.
    reason: str | None
    # Since when attempts end like this.
    since: int
    # Failed attempts in a row.
    failures: int
    failingSince: int | None
    # Epoch milliseconds.
    lastAttemptAt: int
    lastSuccessAt: int | None

class WebhookEndpoint(TypedDict):
    endpointId: str
    url: str
    # null: all.
    events: list[str] | None
    description: str
    # Epoch milliseconds.
    createdAt: int
    # null: events are sent.
    pausedAt: int | None
    # failing: every attempt failed for 5 days.
    pauseReason: Literal["owner", "failing"] | None
    # null: nothing was sent yet. Up to some seconds old.
    health: WebhookEndpointHealth | None

class ListEndpointsAnswer(TypedDict):
    items: list[WebhookEndpoint]

class CreateEndpointAnswerHealth(TypedDict):
    # HTTP status of the last response, if any.
    status: int | None
    # Why the last attempt failed.
    reason: str | None
    # Since when attempts end like this.
    since: int
    # Failed attempts in a row.
    failures: int
    failingSince: int | None
    # Epoch milliseconds.
    lastAttemptAt: int
    lastSuccessAt: int | None

class CreateEndpointAnswer(TypedDict):
    endpointId: str
    url: str
    # null: all.
    events: list[str] | None
    description: str
    # Epoch milliseconds.
    createdAt: int
    # null: events are sent.
    pausedAt: int | None
    # failing: every attempt failed for 5 days.
    pauseReason: Literal["owner", "failing"] | None
    # null: nothing was sent yet. Up to some seconds old.
    health: CreateEndpointAnswerHealth | None
    # Signs what is sent to this endpoint.
    secret: str

class CreateEndpointBody(TypedDict):
    # Where events are sent. Public addresses only; redirects are not followed.
    url: str
    # Which types of events are sent. null: all, also types of later releases.
    events: NotRequired[list[Literal["generation.completed", "generation.failed", "upscale.completed", "upscale.failed", "asset.reviewed", "credits.low", "key.budget_low"]] | None]
    # A label for your own use.
    description: NotRequired[str]

class ChangeEndpointAnswerHealth(TypedDict):
    # HTTP status of the last response, if any.
    status: int | None
    # Why the last attempt failed.
    reason: str | None
    # Since when attempts end like this.
    since: int
    # Failed attempts in a row.
    failures: int
    failingSince: int | None
    # Epoch milliseconds.
    lastAttemptAt: int
    lastSuccessAt: int | None

ChangeEndpointAnswerMissed = TypedDict("ChangeEndpointAnswerMissed", {
    "endpointId": str,
    "from": str,
    "to": str,
    "outcome": Literal["failed"],
})

class ChangeEndpointAnswer(TypedDict):
    endpointId: str
    url: str
    # null: all.
    events: list[str] | None
    description: str
    # Epoch milliseconds.
    createdAt: int
    # null: events are sent.
    pausedAt: int | None
    # failing: every attempt failed for 5 days.
    pauseReason: Literal["owner", "failing"] | None
    # null: nothing was sent yet. Up to some seconds old.
    health: ChangeEndpointAnswerHealth | None
    # After a pause: the body of POST /api/v1/webhooks/again that delivers what was recorded
    # meanwhile. Nothing is delivered without it.
    missed: ChangeEndpointAnswerMissed | None

class ChangeEndpointBody(TypedDict):
    # Where events are sent. Public addresses only; redirects are not followed.
    url: NotRequired[str]
    # Which types of events are sent. null: all, also types of later releases.
    events: NotRequired[list[Literal["generation.completed", "generation.failed", "upscale.completed", "upscale.failed", "asset.reviewed", "credits.low", "key.budget_low"]] | None]
    # A label for your own use.
    description: NotRequired[str]
    # While paused, deliveries are recorded but not attempted.
    paused: NotRequired[bool]

class DeleteEndpointAnswer(TypedDict):
    endpointId: str
    deleted: Literal[True]

class ReadEndpointSecretAnswer(TypedDict):
    # Secret in the Standard Webhooks format, whsec_….
    secret: str
    # The previous secret also signs until then. Epoch milliseconds.
    previousUntil: int | None

class RotateEndpointSecretAnswer(TypedDict):
    # Secret in the Standard Webhooks format, whsec_….
    secret: str
    # The previous secret also signs until then. Epoch milliseconds.
    previousUntil: int | None

class RotateEndpointSecretBody(TypedDict):
    # How long the previous secret keeps signing beside the new one.
    overlapHours: NotRequired[int]

class ReadAlertsAnswer(TypedDict):
    creditsLow: int | None

class ChangeAlertsAnswer(TypedDict):
    creditsLow: int | None

class ChangeAlertsBody(TypedDict):
    # An event credits.low is sent when `credits` falls below this. null: never.
    creditsLow: NotRequired[int | None]

class Sd2TextToVideoInput(TypedDict):
    """When: no urls."""

    # Description of the video.
    prompt: str
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Selects the aspect ratio. If omitted, the model chooses it.
    resolution: NotRequired[Literal["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"]]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p", "1080p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Random if omitted or -1.
    seed: NotRequired[int]
    # Whether to generate synchronized audio. false gives a silent video.
    generateAudio: NotRequired[bool]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class Sd2ImageToVideoInput(TypedDict):
    """When: 1 url and no videoInputMode."""

    # Description of the motion.
    prompt: NotRequired[str]
    # The first frame.
    urls: Sequence[str | FileLike | Made]
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Selects the aspect ratio. If omitted, the model chooses it.
    resolution: NotRequired[Literal["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"]]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p", "1080p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Random if omitted or -1.
    seed: NotRequired[int]
    # Whether to generate synchronized audio. false gives a silent video.
    generateAudio: NotRequired[bool]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class Sd2KeyframeInput(TypedDict):
    """When: 2 urls and videoInputMode 'keyframe' or omitted."""

    # Description of the motion between the frames.
    prompt: NotRequired[str]
    # First and last frame.
    urls: Sequence[str | FileLike | Made]
    # Selects this mode.
    videoInputMode: NotRequired[Literal["keyframe"]]
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Selects the aspect ratio. If omitted, the model chooses it.
    resolution: NotRequired[Literal["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"]]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p", "1080p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Random if omitted or -1.
    seed: NotRequired[int]
    # Whether to generate synchronized audio. false gives a silent video.
    generateAudio: NotRequired[bool]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class Sd2ReferenceInput(TypedDict):
    """When: videoInputMode 'reference'."""

    # Description of the video. Refer to the references by kind and number, such as 'image 1'.
    prompt: NotRequired[str]
    # Selects this mode.
    videoInputMode: Literal["reference"]
    # Reference images.
    urls: NotRequired[Sequence[str | FileLike | Made]]
    # Reference videos. Their duration counts towards the price.
    videoUrls: NotRequired[Sequence[str | FileLike | Made]]
    # Reference audio files. Requires at least one reference image or video.
    audioUrls: NotRequired[Sequence[str | FileLike | Made]]
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Selects the aspect ratio.
    resolution: Literal["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p", "1080p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Random if omitted or -1.
    seed: NotRequired[int]
    # Whether to generate synchronized audio. false gives a silent video.
    generateAudio: NotRequired[bool]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class Sd2TaskInput(TypedDict):
    model: Literal["sd2"]
    inputs: Union[Sd2TextToVideoInput, Sd2ImageToVideoInput, Sd2KeyframeInput, Sd2ReferenceInput]
    # Called when the task is COMPLETED or FAILED. A public http or https URL.
    callBackUrl: NotRequired[str | None]
    # Refuse the task with 402 if its price exceeds this.
    maxCredits: NotRequired[int | None]
    # The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end.
    # Later the request is refused with 409 price_changed.
    priceVersion: NotRequired[str | None]

class Sd2FastTextToVideoInput(TypedDict):
    """When: no urls."""

    # Description of the video.
    prompt: str
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Selects the aspect ratio. If omitted, the model chooses it.
    resolution: NotRequired[Literal["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"]]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Random if omitted or -1.
    seed: NotRequired[int]
    # Whether to generate synchronized audio. false gives a silent video.
    generateAudio: NotRequired[bool]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class Sd2FastImageToVideoInput(TypedDict):
    """When: 1 url and no videoInputMode."""

    # Description of the motion.
    prompt: NotRequired[str]
    # The first frame.
    urls: Sequence[str | FileLike | Made]
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Selects the aspect ratio. If omitted, the model chooses it.
    resolution: NotRequired[Literal["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"]]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Random if omitted or -1.
    seed: NotRequired[int]
    # Whether to generate synchronized audio. false gives a silent video.
    generateAudio: NotRequired[bool]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class Sd2FastKeyframeInput(TypedDict):
    """When: 2 urls and videoInputMode 'keyframe' or omitted."""

    # Description of the motion between the frames.
    prompt: NotRequired[str]
    # First and last frame.
    urls: Sequence[str | FileLike | Made]
    # Selects this mode.
    videoInputMode: NotRequired[Literal["keyframe"]]
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Selects the aspect ratio. If omitted, the model chooses it.
    resolution: NotRequired[Literal["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"]]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Random if omitted or -1.
    seed: NotRequired[int]
    # Whether to generate synchronized audio. false gives a silent video.
    generateAudio: NotRequired[bool]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class Sd2FastReferenceInput(TypedDict):
    """When: videoInputMode 'reference'."""

    # Description of the video. Refer to the references by kind and number, such as 'image 1'.
    prompt: NotRequired[str]
    # Selects this mode.
    videoInputMode: Literal["reference"]
    # Reference images.
    urls: NotRequired[Sequence[str | FileLike | Made]]
    # Reference videos. Their duration counts towards the price.
    videoUrls: NotRequired[Sequence[str | FileLike | Made]]
    # Reference audio files. Requires at least one reference image or video.
    audioUrls: NotRequired[Sequence[str | FileLike | Made]]
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Selects the aspect ratio.
    resolution: Literal["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Random if omitted or -1.
    seed: NotRequired[int]
    # Whether to generate synchronized audio. false gives a silent video.
    generateAudio: NotRequired[bool]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class Sd2FastTaskInput(TypedDict):
    model: Literal["sd2-fast"]
    inputs: Union[Sd2FastTextToVideoInput, Sd2FastImageToVideoInput, Sd2FastKeyframeInput, Sd2FastReferenceInput]
    # Called when the task is COMPLETED or FAILED. A public http or https URL.
    callBackUrl: NotRequired[str | None]
    # Refuse the task with 402 if its price exceeds this.
    maxCredits: NotRequired[int | None]
    # The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end.
    # Later the request is refused with 409 price_changed.
    priceVersion: NotRequired[str | None]

class HappyhorseTextToVideoInput(TypedDict):
    """When: no urls."""

    # Description of the video.
    prompt: str
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p", "1080p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Aspect ratio of the video.
    ratio: NotRequired[Literal["16:9", "9:16", "1:1", "4:3", "3:4"]]
    # Random if omitted.
    seed: NotRequired[int]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class HappyhorseImageToVideoInput(TypedDict):
    """When: 1 url and no videoWorkflowTab."""

    # Description of the motion.
    prompt: NotRequired[str]
    # The first frame.
    urls: Sequence[str | FileLike | Made]
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p", "1080p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Has no effect: the video has the aspect ratio of the first frame.
    ratio: NotRequired[Literal["16:9", "9:16", "1:1", "4:3", "3:4"]]
    # Random if omitted.
    seed: NotRequired[int]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class HappyhorseReferenceToVideoInput(TypedDict):
    """When: videoWorkflowTab 'multi-reference'."""

    # Description of the video. character1, character2, … refer to the urls in order.
    prompt: str
    # Reference images.
    urls: Sequence[str | FileLike | Made]
    # Selects this mode.
    videoWorkflowTab: Literal["multi-reference"]
    # Length of the video: whole seconds as text, with or without an 's', or as a number.
    duration: NotRequired[str | int]
    # Resolution that the model renders.
    outputResolution: NotRequired[Literal["720p", "1080p"]]
    # Upscales the rendered video. Must be higher than outputResolution and than the resolution that
    # is rendered.
    upscaleResolution: NotRequired[Literal["1080p", "2k", "4k"]]
    # Aspect ratio of the video.
    ratio: NotRequired[Literal["16:9", "9:16", "1:1", "4:3", "3:4"]]
    # Random if omitted.
    seed: NotRequired[int]
    # Such as 16:9, in place of the model's own input.
    aspectRatio: NotRequired[str]

class HappyhorseTaskInput(TypedDict):
    model: Literal["happyhorse"]
    inputs: Union[HappyhorseTextToVideoInput, HappyhorseImageToVideoInput, HappyhorseReferenceToVideoInput]
    # Called when the task is COMPLETED or FAILED. A public http or https URL.
    callBackUrl: NotRequired[str | None]
    # Refuse the task with 402 if its price exceeds this.
    maxCredits: NotRequired[int | None]
    # The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end.
    # Later the request is refused with 409 price_changed.
    priceVersion: NotRequired[str | None]

class ImagePro2TextToImageInput(TypedDict):
    """When: no urls."""

    # Description of the image.
    prompt: str
    # Rendering quality.
    quality: NotRequired[Literal["medium", "high"]]
    # Resolution of the image.
    resolution: NotRequired[Literal["1k", "2k", "4k"]]
    # Aspect ratio of the image.
    aspectRatio: NotRequired[Literal["1:1", "16:9", "9:16", "4:3", "3:4"]]
    # File format of the image.
    outputFormat: NotRequired[Literal["png", "jpeg", "webp"]]

class ImagePro2EditInput(TypedDict):
    """When: 1 or more urls."""

    # Edit instruction for the reference images.
    prompt: str
    # Reference images.
    urls: Sequence[str | FileLike | Made]
    # Rendering quality.
    quality: NotRequired[Literal["medium", "high"]]
    # Resolution of the image.
    resolution: NotRequired[Literal["1k", "2k", "4k"]]
    # Aspect ratio of the image.
    aspectRatio: NotRequired[Literal["1:1", "16:9", "9:16", "4:3", "3:4"]]
    # File format of the image.
    outputFormat: NotRequired[Literal["png", "jpeg", "webp"]]

class ImagePro2TaskInput(TypedDict):
    model: Literal["image-pro-2"]
    inputs: Union[ImagePro2TextToImageInput, ImagePro2EditInput]
    # Called when the task is COMPLETED or FAILED. A public http or https URL.
    callBackUrl: NotRequired[str | None]
    # Refuse the task with 402 if its price exceeds this.
    maxCredits: NotRequired[int | None]
    # The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end.
    # Later the request is refused with 409 price_changed.
    priceVersion: NotRequired[str | None]

class ImagePlus2TextToImageInput(TypedDict):
    """When: no urls."""

    # Description of the image.
    prompt: str
    # Resolution of the image.
    resolution: NotRequired[Literal["1k", "2k", "4k"]]
    # Aspect ratio of the image.
    aspectRatio: NotRequired[Literal["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "4:5", "5:4", "21:9"]]

class ImagePlus2EditInput(TypedDict):
    """When: 1 or more urls."""

    # Edit instruction for the reference images.
    prompt: str
    # Reference images.
    urls: Sequence[str | FileLike | Made]
    # Resolution of the image.
    resolution: NotRequired[Literal["1k", "2k", "4k"]]
    # Aspect ratio of the image.
    aspectRatio: NotRequired[Literal["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "4:5", "5:4", "21:9"]]

class ImagePlus2TaskInput(TypedDict):
    model: Literal["image-plus-2"]
    inputs: Union[ImagePlus2TextToImageInput, ImagePlus2EditInput]
    # Called when the task is COMPLETED or FAILED. A public http or https URL.
    callBackUrl: NotRequired[str | None]
    # Refuse the task with 402 if its price exceeds this.
    maxCredits: NotRequired[int | None]
    # The priceVersion of a quote: pays by it while it is in force and for 15 minutes after its end.
    # Later the request is refused with 409 price_changed.
    priceVersion: NotRequired[str | None]

Sd2Inputs = Union[Sd2TextToVideoInput, Sd2ImageToVideoInput, Sd2KeyframeInput, Sd2ReferenceInput]

Sd2FastInputs = Union[Sd2FastTextToVideoInput, Sd2FastImageToVideoInput, Sd2FastKeyframeInput, Sd2FastReferenceInput]

HappyhorseInputs = Union[HappyhorseTextToVideoInput, HappyhorseImageToVideoInput, HappyhorseReferenceToVideoInput]

ImagePro2Inputs = Union[ImagePro2TextToImageInput, ImagePro2EditInput]

ImagePlus2Inputs = Union[ImagePlus2TextToImageInput, ImagePlus2EditInput]

TaskRequest = Union[Sd2TaskInput, Sd2FastTaskInput, HappyhorseTaskInput, ImagePro2TaskInput, ImagePlus2TaskInput]

class UpscaleRequest(TypedDict):
    """An upscale of a batch."""

    source: str | FileLike | Made
    targetResolution: Literal["1080p", "2k", "4k"]
    callBackUrl: NotRequired[str | None]
    maxCredits: NotRequired[int | None]
    idempotencyKey: NotRequired[str]

class GenerationEvent(TypedDict):
    type: Literal["generation.completed", "generation.failed"]
    # ISO 8601.
    timestamp: str
    data: GenerationTask

class UpscaleEvent(TypedDict):
    type: Literal["upscale.completed", "upscale.failed"]
    timestamp: str
    data: UpscaleTask

class ReviewedAsset(TypedDict):
    assetId: int
    upstreamAssetId: str
    status: Literal["NONE", "PROCESSING", "ACTIVE", "FAILED"]
    failReason: str | None

class AssetEvent(TypedDict):
    type: Literal["asset.reviewed"]
    timestamp: str
    data: ReviewedAsset

class LowCredits(TypedDict):
    credits: int
    availableCredits: int
    creditsLow: int

class CreditsEvent(TypedDict):
    type: Literal["credits.low"]
    timestamp: str
    data: LowCredits

class LowBudget(TypedDict):
    keyId: str
    name: str
    hint: str
    percent: int
    creditsMax: int
    creditsLeft: int

class BudgetEvent(TypedDict):
    type: Literal["key.budget_low"]
    timestamp: str
    data: LowBudget

# What an endpoint is sent. A `callBackUrl` is sent the task itself.
WebhookEvent = Union[GenerationEvent, UpscaleEvent, AssetEvent, CreditsEvent, BudgetEvent]

# The name of a model that is newer than this client: `client.run(AnyModel("sd3"), {...})`.
AnyModel = NewType("AnyModel", str)

ModelName = Literal["sd2", "sd2-fast", "happyhorse", "image-pro-2", "image-plus-2"]

AssetType = Literal["IMAGE", "AUDIO", "VIDEO"]

# The inputs that name files; each also takes the file itself.
FILE_INPUTS: Mapping[str, AssetType] = {"audioUrls": "AUDIO", "urls": "IMAGE", "videoUrls": "VIDEO"}
