export const start = {
  about: "Four steps to the first video. You can leave at any time and continue here.",
  skip: "Go to the status page",
  done: "Done",
  open: "To do",
  needsAccount: "Create the account first.",
  vendor: {
    title: "1. Vendors",
    about:
      "Use the sandbox, which emulates all vendors and costs nothing, or add a vendor account. You can add one later.",
    accounts: "Vendor accounts",
    live: "live keys",
    test: "test keys",
    add: "Add a vendor account",
  },
  account: {
    title: "2. Account",
    about: "Tasks, keys and credits belong to an account. You become the owner of this one.",
    name: "Name of the account",
    create: "Create account",
  },
  key: {
    title: "3. API key",
    about: {
      test: "Programs sign in with a key. A test key costs nothing and calls no vendor.",
      live: "Programs sign in with a key. Tasks of a live key cost credits.",
    },
    name: "First key",
    make: { test: "Create a test key", live: "Create a live key" },
    once: "This is the only time that the key is shown. Keep it where your programs read secrets.",
    notOwner: "Only an owner of the account can create keys.",
  },
  video: {
    title: "4. First video",
    about: "Describe a scene in the playground and watch it being made.",
    open: "Open the playground",
    gallery: "See the gallery",
    grant: "Grant credits",
  },
} as const;
