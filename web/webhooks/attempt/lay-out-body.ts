import { parseJsonTree, writeJsonTree } from '#core/domain/webhooks/template/json-tree.ts'

/** A JSON body opened up for reading, its order and digits kept; any other body as it is. */
export function layOutBody(body: string): string {
  try {
    return writeJsonTree(parseJsonTree(body), 2)
  } catch {
    // Not JSON: HTML, form data or plain text is shown as it came.
    return body
  }
}
