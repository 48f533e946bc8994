import { Socket } from "node:net";
import { expect, test } from "vitest";
import { clientAddressOf } from "./client-address.ts";

const of = (ip: string) => clientAddressOf({ ip, socket: new Socket() });

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["fe80::1%25.eth-0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::ffff:c000:207", "192.0.2.7"],
  ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
])("%s is counted under %s", (ip, expected) => {
  expect(of(ip)).toBe(expected);
});

test.each(["not an address", "0x7f.1", "127.1", "010.0.0.1", "2130706433"])(
  "%s is no address: the connection's is counted",
  (ip) => {
    expect(of(ip)).toBe("unknown");
  },
);
