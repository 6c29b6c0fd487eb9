import { createInterface } from 'node:readline'
import { UsageError } from './failures.ts'

/**
 * Reads one line of standard input for each argument `-`, so that a name or an address stays out of the shell's history
 * and of the list of processes.
 * @throws UsageError if standard input has fewer lines
 */
export async function readArguments(
  args: readonly string[],
  input: NodeJS.ReadableStream,
): Promise<readonly string[]> {
  if (!args.includes('-')) return args
  const reader = createInterface({ input })
  const lines = reader[Symbol.asyncIterator]()
  const read: string[] = []
  for (const arg of args) read.push(arg === '-' ? await nextLine(lines) : arg)
  reader.close()
  return read
}

async function nextLine(lines: AsyncIterator<string, undefined>): Promise<string> {
  const next = await lines.next()
  if (next.done === true) throw new UsageError('Nothing came on standard input for the argument -')
  return next.value.trim()
}
