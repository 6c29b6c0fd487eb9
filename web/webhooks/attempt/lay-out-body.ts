import { parseJsonTree, writeJsonTree } from '#core/domain/webhooks/template/json-tree.ts'

/** Formats a JSON body for reading and keeps its order and digits; returns any other body as it is. */
export function layOutBody(body: string): string {
  try {
    return writeJsonTree(parseJsonTree(body), 2)
  } catch {
    // HTML, form data or plain text is shown as it is.
    return body
  }
}
