import type { verify as english } from "../en/verify.ts";
import type { Translated } from "../texts.ts";

export const verify: Translated<typeof english> = {
  title: "是否由本服务生成？",
  about: "核验某个视频或图片是否由本服务生成。不会透露其归属，也无需账户。",
  choose: "选择文件，或拖放到此处",
  chooseAbout: "在您同意发送之前，文件不会离开您的设备。",
  hashing: "正在您的设备上计算 SHA-256",
  sending: "正在发送文件",
  opening: "正在核验文件",
  cancel: "取消",
  another: "核验另一个文件",
  notFound: "本服务没有与此文件完全一致的输出。",
  notHashed: "您的浏览器无法计算此文件的 SHA-256。",
  offer: "文件可能已被重新编码。发送文件即可比对画面并读取其中的标识：核验后立即删除，不会存储。",
  tooLarge: "无法发送超过 200 MB 的文件。请制作更短或更小的副本后再核验。",
  send: "发送文件",
  interrupted: "核验完成之前连接已中断。请检查网络连接，然后重新发送文件。",
  refused: "文件在传输途中被拒绝（HTTP {{status}}）。请尝试更小的文件。",
  result: {
    made_here: {
      title: "由本服务生成",
      about: "此文件与本服务的一个输出完全一致，或带有本服务的有效签名。",
    },
    similar: {
      title: "与本服务的一个输出相似",
      about: "其画面与某个输出非常接近，例如重新编码之后。这不构成证明：不同的画面也可能相似。",
    },
    labelled: {
      title: "本服务没有记录，但文件带有标识",
      about: "文件自身说明了来源。任何人都可以写入这样的标识。",
    },
    nothing_found: {
      title: "未找到",
      about: "这并不表示此文件不是由模型生成的。",
    },
  },
  madeAs: {
    video: "由视频模型于 {{date}} 生成",
    image: "由图片模型于 {{date}} 生成",
    upscale: "由超分于 {{date}} 生成",
  },
  notOpened: "它不是本服务可读取的视频或图片，因此只比对了 SHA-256。",
  marks: "文件中的标识",
  aigc: "由 {{producer}} 标识为 AI 生成。",
  aigcUnnamed: "标识为 AI 生成，未注明名称。",
  propagator: "由 {{propagator}} 传播。",
  c2pa: {
    ours: "由本服务签名（C2PA）：{{state}}。",
    others: "由 {{name}} 签名（C2PA）：{{state}}。",
  },
  unnamed: "未具名者",
  valid: "签名与文件相符",
  invalid: "文件在签名后被更改",
};
