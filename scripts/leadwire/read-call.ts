import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { UsageError } from './failures.ts'

/** Flags that every command has. */
const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

export interface ReadCall {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  args: string[]
  json: boolean
  help: boolean
}

/** Reads what follows the name of a command. @throws UsageError */
export function readCall(command: Command, words: readonly string[]): ReadCall {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([name, flag]) => [
      name,
      { type: flag.type, multiple: flag.type === 'string' && flag.multiple === true },
    ]),
  )
  const { values, positionals: args } = parse([...words], { ...options, ...COMMON })
  const { json = false, help = false, ...given } = values
  const [least, most] = command.args ?? [0, 0]
  if (help !== true && (args.length < least || args.length > most))
    throw new UsageError(
      most === 0
        ? `Takes no argument, but got ${args.length}`
        : `Takes ${count(least, most)}, but got ${args.length}`,
    )
  const missing = Object.entries(command.flags).map(([name, flag]) => [
    name,
    flag.type === 'boolean' ? false : flag.multiple === true ? [] : undefined,
  ])
  return {
    values: { ...(Object.fromEntries(missing) as Record<string, undefined>), ...given },
    args,
    json: json === true,
    help: help === true,
  }
}

function parse(args: string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options']) {
  try {
    return parseArgs({ args, options: options ?? {}, allowPositionals: true })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message.split('. ')[0] ?? error.message)
    throw error
  }
}

const count = (least: number, most: number): string => {
  if (least !== most) return `${least} to ${most} arguments`
  return least === 1 ? 'one argument' : `${least} arguments`
}
