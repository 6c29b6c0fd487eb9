import { createSayOnce } from '#core/telemetry/say-once.ts'

const WARNING = 40

/** Shows a program's log on the terminal, as far as people need it. */
export interface LogView {
  show: (line: string) => void
  /** Shows lines that are still held back. */
  end: () => void
}

/**
 * Shows warnings, errors, and everything that is no log line; the file has the rest. A repeated line is shown
 * once, and again with its count when it stops.
 */
export function createLogView(name: string, options?: { quietMs?: number }): LogView {
  const sayOnce = createSayOnce(options)
  return {
    show: (line) => {
      const entry = parse(line)
      if (entry === undefined) {
        if (line.trim() !== '') console.log(`  ${name} | ${line}`)
        return
      }
      if (entry.level < WARNING) return
      const text = `${entry.level > WARNING ? 'error' : 'warning'}: ${entry.msg}`
      // The program itself has counted these.
      if (entry.repeats > 0) console.error(`  ${name} | ${text} (${times(entry.repeats)})`)
      else
        sayOnce(text, (repeats) =>
          console.error(`  ${name} | ${text}${repeats > 0 ? ` (${times(repeats)})` : ''}`),
        )
    },
    end: sayOnce.end,
  }
}

function times(repeats: number): string {
  return repeats === 1 ? 'once more' : `${repeats} times more`
}

function parse(line: string): { level: number; msg: string; repeats: number } | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const { level, msg, err, failure, repeats } = JSON.parse(line) as {
      level?: unknown
      msg?: unknown
      err?: { message?: unknown }
      failure?: { message?: unknown }
      repeats?: unknown
    }
    if (typeof level !== 'number') return undefined
    const words = err?.message ?? failure?.message
    const reason = typeof words === 'string' && words !== msg ? ` (${words})` : ''
    return {
      level,
      msg: `${typeof msg === 'string' ? msg : ''}${reason}`,
      repeats: typeof repeats === 'number' ? repeats : 0,
    }
  } catch {
    return undefined
  }
}
