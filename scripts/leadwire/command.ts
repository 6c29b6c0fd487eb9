import type { Services } from './open-services.ts'

/** An option of a command; `--help` prints it as `--name VALUE  help`. */
export type Flag = { help: string } & (
  | { type: 'boolean' }
  | { type: 'string'; value: string; multiple?: boolean }
)
export type Flags = Readonly<Record<string, Flag>>

/** A flag that was not given is false, undefined, or an empty list. */
export type Values<Given extends Flags> = {
  [Name in keyof Given]: Given[Name] extends { type: 'boolean' }
    ? boolean
    : Given[Name] extends { multiple: true }
      ? string[]
      : string | undefined
}

export interface Call<Given extends Flags> {
  values: Values<Given>
  /** what stands beside the flags, as many as the command takes */
  args: readonly string[]
  services: Services
  /** Prints a line of progress to standard error at once. */
  note: (line: string) => void
}

/** The answer of a command. It never holds secrets; it holds personal data only where the operator asked for it. */
export interface Answer {
  /** whether it found something wrong: the exit code is 1 then */
  isWrong?: boolean
  /** printed as one line of JSON with `--json` */
  data: unknown
  /** printed without `--json` */
  lines: readonly string[]
}

/** One command: a file of `commands/`, listed in `list-commands.ts`. */
export interface Command<Given extends Flags = Flags> {
  /** what follows the name, for example `<lead id>` */
  usage: string
  /** paragraphs of `--help`: what it reads and changes, how long it takes, what 1 means */
  about: readonly string[]
  flags: Given
  /** how many arguments it takes, at least and at most; left out: none */
  args?: readonly [least: number, most: number]
  /** @throws UsageError for wrong usage; other errors end with 1 */
  run: (call: Call<Given>) => Promise<Answer>
}

/** Keeps the types of a command's flags. */
export function defineCommand<const Given extends Flags>(command: Command<Given>): Command {
  // Values are read by the command's own flags, so the wider type is safe.
  return command as unknown as Command
}
