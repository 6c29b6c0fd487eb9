import type { Command, Flag } from './command.ts'
import { COMMANDS } from './list-commands.ts'

const EXIT_CODES = 'Exit code: 0 fine, 1 something is wrong or could not be done, 2 wrong usage.'
const WIDTH = 100

/** The help without a command. */
export function showHelp(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  return [
    'Usage: leadwire <command> [arguments] [--json] [--help]',
    '',
    'Reads the same environment as `npm run worker`, and runs beside servers and workers.',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '--json prints one line of JSON; --help explains a command.',
    'The argument - is read from standard input, which keeps an address out of the list of processes.',
    EXIT_CODES,
  ].join('\n')
}

export function showUsage(name: string, { usage }: Command): string {
  return `Usage: leadwire ${[name, usage, '[options]'].filter((part) => part !== '').join(' ')}`
}

export function showCommandHelp(name: string, command: Command): string {
  const flags: [string, Flag][] = [
    ...Object.entries(command.flags),
    ['json', { type: 'boolean', help: 'prints one line of JSON' }],
    ['help', { type: 'boolean', help: 'prints this' }],
  ]
  const heads = flags.map(([flag, of]) => `--${flag}${of.type === 'string' ? ` ${of.value}` : ''}`)
  const width = Math.max(...heads.map((head) => head.length))
  return [
    showUsage(name, command),
    '',
    ...command.about.flatMap((paragraph) => [...wrap(paragraph, WIDTH), '']),
    ...flags.flatMap(([, { help }], index) =>
      wrap(help, WIDTH - width - 4).map(
        (line, part) => `  ${(part === 0 ? (heads[index] ?? '') : '').padEnd(width)}  ${line}`,
      ),
    ),
    '',
    EXIT_CODES,
  ].join('\n')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
