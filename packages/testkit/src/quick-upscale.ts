/** Settings for where it is not tested how an upscale looks: sharpening is half of what it costs. */
export const quickUpscale = { UPSCALE_PRESET: "ultrafast", UPSCALE_SHARPNESS: "0" };
