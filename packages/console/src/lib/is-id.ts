const id = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Whether a text is a whole id, of a task, an account or a request, as the service takes it. */
export function isId(text: string): boolean {
  return id.test(text);
}
