/** 300 modules, a seventh of all that api would load at its start: loaded when first a passkey is used. */
export const loadWebAuthn = () => import("@simplewebauthn/server");
