import { invalid } from "../errors.ts";

const lengthMin = 12;
const distinctMin = 5;

/** Length is what makes a password hard to guess; rules about characters only make it hard to remember. */
export function requireStrong(param: string, password: string, email: string): void {
  if ([...password].length < lengthMin)
    throw invalid(param, {
      en: `must have at least ${lengthMin} characters`,
      zh: `至少需要 ${lengthMin} 个字符`,
    });
  if (new Set(password).size < distinctMin)
    throw invalid(param, {
      en: `must have at least ${distinctMin} different characters`,
      zh: `至少需要 ${distinctMin} 个不同的字符`,
    });
  const [local = ""] = email.toLowerCase().split("@");
  if (password.toLowerCase() === email.toLowerCase() || password.toLowerCase() === local)
    throw invalid(param, { en: "must not be the e-mail address", zh: "不能是邮箱地址" });
}
