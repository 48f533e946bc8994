import type { start as english } from "../en/start.ts";
import type { Translated } from "../texts.ts";

export const start: Translated<typeof english> = {
  about: "四步生成第一个视频。您可以随时离开，之后在这里继续。",
  skip: "前往系统状态",
  done: "已完成",
  open: "待完成",
  needsAccount: "请先创建账户。",
  vendor: {
    title: "1. 供应商",
    about: "可以先使用沙盒，它模拟所有供应商且不产生费用；也可以添加供应商账户，之后添加亦可。",
    accounts: "供应商账户",
    live: "正式密钥",
    test: "测试密钥",
    add: "添加供应商账户",
  },
  account: {
    title: "2. 账户",
    about: "任务、密钥和积分都属于账户。您将成为此账户的所有者。",
    name: "账户名称",
    create: "创建账户",
  },
  key: {
    title: "3. API 密钥",
    about: {
      test: "程序使用密钥访问 API。测试密钥不产生费用，也不会调用供应商。",
      live: "程序使用密钥访问 API。正式密钥的任务会消耗积分。",
    },
    name: "第一个密钥",
    make: { test: "创建测试密钥", live: "创建正式密钥" },
    once: "密钥只显示这一次。请保存到程序读取机密的位置。",
    notOwner: "只有账户所有者可以创建密钥。",
  },
  video: {
    title: "4. 第一个视频",
    about: "在创作台描述一个场景，看着它生成。",
    open: "打开创作台",
    gallery: "查看作品",
    grant: "发放积分",
  },
};
