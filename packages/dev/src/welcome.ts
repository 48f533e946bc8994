interface Running {
  readonly apiUrl: string;
  readonly key: string;
  readonly dir: string;
  /** As a shell in the current folder names it. */
  readonly envFile: string;
}

const prompt = "A paper boat crosses a puddle at dusk, slow and low to the water";

/** What to do next, ready to be pasted. */
export function welcome({ apiUrl, key, dir, envFile }: Running): string {
  const body = JSON.stringify({ model: "sd2", inputs: { prompt } });
  const auth = `-H 'Authorization: Bearer ${key}'`;
  return `
Zoetrope is running, with a sandbox in place of the vendors.

  url   ${apiUrl}
  key   ${key}
  data  ${dir}

Ctrl-C stops everything; the data stays. Make a video in another terminal (5 s, 30 credits):

  . ${/^[\w./-]+$/.test(envFile) ? envFile.replace(/^(?!\/)/, "./") : `'${envFile}'`}
  npx zoetrope generate '${prompt}' --model sd2 -o boat.mp4

Or with curl; put the taskId of the first answer into the second line:

  curl -s ${apiUrl}/api/v1/jobs/createTask ${auth} -H 'Content-Type: application/json' -d '${body}'
  curl -s '${apiUrl}/api/v1/jobs/queryTask?taskId=TASK_ID' ${auth}
`;
}
