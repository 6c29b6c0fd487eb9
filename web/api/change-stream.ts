/** Opens the stream for a listener who stands there. @throws where the server refuses, or does not answer */
type OpenStream = (mark: string | undefined, stop: AbortSignal) => Promise<Response>

/** The server says something at least every 5 s (docs/contract.md §4); twice that, and the line is dead. */
const SILENCE_MS = 11_000
/** Between tries: 1, 2, 5, 10 s (docs/product.md §9). */
const WAITS_MS = [1000, 2000, 5000, 10_000]

/**
 * The wait before the next try, in milliseconds: longer after each failure, and never the same for all whom a server has left at once.
 * @param failures in a row; 0: the stream has ended as it may
 * @param random from 0 to 1
 */
export function reconnectWait(failures: number, random: number): number {
  const wait = WAITS_MS[Math.min(Math.max(failures, 1), WAITS_MS.length) - 1] ?? 0
  return wait * (0.75 + random / 2)
}

/**
 * Hears of changes until it is stopped.
 * @param open where from
 * @param at where this browser stands: what the server said last, and is told when the stream is opened again
 * @param told something has changed, or may have without our hearing of it
 */
export async function followChanges(
  open: OpenStream,
  at: { mark: string | undefined },
  told: () => void,
  stop: AbortSignal,
): Promise<void> {
  let failures = 0
  const heard = (text: string) => {
    failures = 0
    const { mark, isChange } = readMessages(text)
    at.mark = mark ?? at.mark
    if (isChange) told()
  }
  while (!stop.aborted) {
    try {
      await readStream((signal) => open(at.mark, signal), heard, stop)
    } catch {
      failures += 1
      // Of a moment's loss the next stream tells. Without any this is how screens go on, at the pace of its tries.
      if (failures > 1 && !stop.aborted) told()
    }
    await pause(reconnectWait(failures, Math.random()), stop)
  }
}

/** What whole messages say: where the listener stands, and whether something has changed. */
export function readMessages(text: string): { mark: string | undefined; isChange: boolean } {
  const [, mark] = /^id: (.+)$/m.exec(text) ?? []
  return { mark, isChange: /^data:/m.test(text) }
}

async function readStream(
  open: (stop: AbortSignal) => Promise<Response>,
  heard: (text: string) => void,
  stop: AbortSignal,
) {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  listen()
  try {
    const { body } = await open(AbortSignal.any([stop, silence.signal]))
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done = true, value = '' } = (await reader?.read()) ?? {}
      if (done) return
      listen()
      const whole = (rest + value).lastIndexOf('\n\n')
      const text = rest + value
      rest = text.slice(whole + 1)
      if (whole >= 0) heard(text.slice(0, whole + 1))
    }
  } finally {
    clearTimeout(timer)
  }
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, stop.aborted ? 0 : ms)
    stop.addEventListener('abort', end)
  })
}
