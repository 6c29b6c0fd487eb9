import type { Request } from 'express'

/** The answer to a conditional or partial request. `start` and `end` are both included. */
export type RangeVerdict =
  | { state: 'unchanged' }
  | { state: 'unsatisfiable' }
  | { state: 'whole'; start: number; end: number }
  | { state: 'part'; start: number; end: number }

/** The bytes that a request asks for (RFC 9110 §13, §14). Several ranges at once get the whole file. */
export function judgeRange(
  request: Pick<Request, 'get'>,
  { tag, changedAt, size }: { tag: string; changedAt: Date; size: number },
): RangeVerdict {
  // HTTP dates have whole seconds.
  const changed = Math.floor(changedAt.getTime() / 1000) * 1000
  if (isUnchanged(request, tag, changed)) return { state: 'unchanged' }
  const whole = { state: 'whole', start: 0, end: size - 1 } as const
  const condition = request.get('If-Range')
  const holds = condition === undefined || condition === tag || Date.parse(condition) === changed
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.get('Range')?.trim() ?? '') ?? []
  if (!holds || (from === '' && to === '')) return whole
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < start) return whole
  return start > end ? { state: 'unsatisfiable' } : { state: 'part', start, end }
}

function isUnchanged(request: Pick<Request, 'get'>, tag: string, changed: number): boolean {
  const known = request.get('If-None-Match')
  if (known !== undefined)
    return known
      .split(',')
      .map((one) => one.trim().replace(/^W\//, ''))
      .some((one) => one === tag || one === '*')
  const since = Date.parse(request.get('If-Modified-Since') ?? '')
  return !Number.isNaN(since) && changed <= since
}
