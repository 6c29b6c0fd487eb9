import { readFile } from 'node:fs/promises'
import { nameOf } from './ask.ts'
import type { Age } from './versions.ts'

const LEVELS: Readonly<Record<number, string>> = { 40: 'warn', 50: 'error', 60: 'fatal' }
const WARN = 40

/** The process that wrote a log. */
export interface Writer {
  age: Age
  program: 'server' | 'worker'
}

/** A message that is expected while two versions run side by side, and the reason. */
export interface Explained {
  message: RegExp
  level: 'warn' | 'error'
  /** only in the logs of these writers */
  of?: Partial<Writer>
  because: string
}

/** Equal lines of one process; ids and numbers do not distinguish them. */
export interface LogGroup {
  writer: Writer
  /** `text` for a line that is no log line */
  level: string
  message: string
  count: number
  /** undefined if the message is unexplained */
  because: string | undefined
}

interface ErrorFields {
  type?: string
  message?: string
  code?: string
  cause?: ErrorFields
}

interface Line {
  level?: number
  msg?: string
  err?: ErrorFields
  failure?: ErrorFields
}

/** Groups a process's lines that are warnings or worse, or no log lines, by their message. */
export async function readLog(
  file: string,
  writer: Writer,
  explained: readonly Explained[],
): Promise<LogGroup[]> {
  return groupLines((await readFile(file, 'utf8')).split('\n'), writer, explained)
}

export function groupLines(
  lines: readonly string[],
  writer: Writer,
  explained: readonly Explained[],
): LogGroup[] {
  const groups = new Map<string, LogGroup>()
  for (const line of lines) {
    const told = readLine(line)
    if (told === undefined) continue
    const key = `${told.level} ${told.message}`
    const known = groups.get(key)
    if (known !== undefined) known.count += 1
    else groups.set(key, { writer, ...told, count: 1, because: explain(told, writer, explained) })
  }
  return [...groups.values()]
}

function readLine(line: string): { level: string; message: string } | undefined {
  if (line.trim() === '') return undefined
  const parsed = parse(line)
  if (parsed?.level === undefined) return { level: 'text', message: withoutIds(line) }
  if (parsed.level < WARN) return undefined
  const words = [parsed.msg ?? '', describe(parsed.err), describe(parsed.failure)].filter(
    (part) => part !== '',
  )
  return { level: LEVELS[parsed.level] ?? String(parsed.level), message: withoutIds(words.join(' · ')) }
}

function parse(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function describe(error: ErrorFields | undefined): string {
  if (error === undefined) return ''
  const own = [error.type, error.code, error.message].filter((part) => part !== undefined).join(' ')
  return error.cause === undefined ? own : `${own}, because ${describe(error.cause)}`
}

function withoutIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>')
    .replaceAll(/\b\d+(\.\d+)*\b/g, '<n>')
}

function explain(
  { level, message }: { level: string; message: string },
  writer: Writer,
  explained: readonly Explained[],
): string | undefined {
  return explained.find(
    (one) =>
      one.level === level &&
      one.message.test(message) &&
      (one.of?.age ?? writer.age) === writer.age &&
      (one.of?.program ?? writer.program) === writer.program,
  )?.because
}

/** The groups in words, unexplained ones first. */
export function logLines(groups: readonly LogGroup[]): string[] {
  return groups
    .toSorted((one, other) => Number(one.because !== undefined) - Number(other.because !== undefined))
    .map(({ writer, level, message, count, because }) => {
      const reason = because ?? 'NOT EXPLAINED'
      return `${count} × ${level}, ${writer.program} of ${nameOf(writer.age)}: ${message} (${reason})`
    })
}
