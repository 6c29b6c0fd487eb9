const WARNING = 40

/** Shows the terminal what a person must see: warnings, errors, and everything that is not a log line. The rest is in the file. */
export function showLogLine(name: string, line: string): void {
  const entry = parse(line)
  if (entry === undefined) {
    if (line.trim() !== '') console.log(`  ${name} | ${line}`)
    return
  }
  if (entry.level < WARNING) return
  console.error(`  ${name} | ${entry.level > WARNING ? 'error' : 'warning'}: ${entry.msg}`)
}

function parse(line: string): { level: number; msg: string } | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const { level, msg, err } = JSON.parse(line) as {
      level?: unknown
      msg?: unknown
      err?: { message?: unknown }
    }
    if (typeof level !== 'number') return undefined
    const reason = typeof err?.message === 'string' && err.message !== msg ? ` (${err.message})` : ''
    return { level, msg: `${typeof msg === 'string' ? msg : ''}${reason}` }
  } catch {
    return undefined
  }
}
