import { drawElement } from '../draw-element.ts'
import { addCopyButton } from '../add-copy-buttons.ts'
import { explainAnswer, layOutText } from './explain-answer.ts'
import type { CallAnswer } from './send-call.ts'

/** Shows the status, its meaning, the formatted body and every header. */
export function showAnswer(place: HTMLElement, { status, statusText, ms, headers, text, isCut }: CallAnswer) {
  const bytes = new TextEncoder().encode(text).length
  const summary = drawElement(
    'p',
    `text-sm font-medium tabular ${status < 400 ? 'text-success' : 'text-failure'}`,
    `${status} ${statusText || nameStatus(status)} · ${ms} ms · ${bytes.toLocaleString('en-US')} bytes`,
  )
  const retryAfter = headers.find(([name]) => name === 'retry-after')?.[1] ?? null
  const words = explainAnswer(status, text, retryAfter)
  const list = drawElement('dl', 'header-list', ...headers.flatMap(drawHeader))
  const title = drawElement('summary', 'text-sm text-accent-strong', `Headers (${headers.length})`)
  const more = drawElement('details', '', title, list)
  place.replaceChildren(
    summary,
    ...(words === null ? [] : [drawElement('p', 'text-sm', words)]),
    ...(text === ''
      ? [drawElement('p', 'text-sm text-muted', 'The answer has no body.')]
      : [drawBody(text, isCut)]),
    ...(isCut
      ? [drawElement('p', 'text-xs text-muted', 'Only the first 64 KiB are shown, as they came.')]
      : []),
    more,
  )
}

function drawHeader([name, value]: readonly [string, string]): HTMLElement[] {
  return [drawElement('dt', '', name), drawElement('dd', '', value)]
}

function drawBody(text: string, isCut: boolean): HTMLElement {
  const block = drawElement('pre', '', drawElement('code', '', layOutText(text, isCut)))
  block.tabIndex = 0
  block.setAttribute('aria-label', 'Body of the answer')
  const frame = drawElement('div', '', block)
  addCopyButton(block)
  return frame
}

/** HTTP/2 sends no reason phrase, so we name the status ourselves. */
function nameStatus(status: number): string {
  const names: Readonly<Record<number, string>> = {
    200: 'OK',
    201: 'Created',
    202: 'Accepted',
    204: 'No Content',
    400: 'Bad Request',
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'Not Found',
    409: 'Conflict',
    422: 'Unprocessable Content',
    429: 'Too Many Requests',
    503: 'Service Unavailable',
  }
  return names[status] ?? ''
}
