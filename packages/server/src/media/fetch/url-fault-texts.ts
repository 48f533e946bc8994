import { recall, type Text } from "../../errors.ts";

/** The messages of `faultOfUrl`, in every language. */
export const urlFaultTexts: readonly Text[] = [
  { en: "must be a valid URL", zh: "必须是有效的 URL" },
  { en: "must start with {0}", zh: "必须以 {0} 开头" },
  { en: "must not contain a user name or password", zh: "不能包含用户名或密码" },
  {
    en: "must use port 80, port 443, or a port of 1024 or above",
    zh: "端口必须是 80、443 或不小于 1024",
  },
  { en: "must point to a public address", zh: "必须指向公网地址" },
  { en: "must have a fully qualified host name", zh: "必须使用完整的主机名" },
];

export function textOfUrlFault(fault: string): Text {
  return { en: fault, zh: recall(urlFaultTexts, "zh", fault) };
}

/** The reasons why a file could not be fetched, in every language. */
export const fetchFaultTexts: readonly Text[] = [
  { en: "the connection failed", zh: "连接失败" },
  { en: "the link answered {0}", zh: "链接返回 {0}" },
  { en: "it took more than {0} s", zh: "用时超过 {0} 秒" },
  { en: "larger than {0} bytes", zh: "超过 {0} 字节" },
  {
    en: "too slow: after {0} s, at least {1} bytes per second are required, and faster the longer it takes",
    zh: "速度太慢：{0} 秒后每秒至少需要 {1} 字节，且时间越长要求越快",
  },
  {
    en: "too slow: after {0} s, at least {1} bytes per second are required",
    zh: "速度太慢：{0} 秒后每秒至少需要 {1} 字节",
  },
  { en: "too many redirects", zh: "重定向次数过多" },
  { en: "the egress proxy refused the connection", zh: "出口代理拒绝了连接" },
  ...urlFaultTexts,
];
