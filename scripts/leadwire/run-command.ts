import type { Answer } from './command.ts'
import { explainFailure } from './explain-failure.ts'
import { UsageError } from './failures.ts'
import { COMMANDS, type ListedCommand } from './list-commands.ts'
import { openServices } from './open-services.ts'
import { readArguments } from './read-arguments.ts'
import { readCall } from './read-call.ts'
import { showCommandHelp, showHelp, showUsage } from './show-help.ts'

const WRONG_USAGE = 2

/** Runs one command line. @returns the exit code */
export async function runCommand(words: readonly string[]): Promise<number> {
  const [first] = words
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    print(process.stdout, showHelp())
    return first === undefined ? WRONG_USAGE : 0
  }
  const listed = findCommand(words)
  if (listed === undefined) {
    // The words after the name may be an address or a phone number, so they are not repeated.
    print(process.stderr, `There is no command \`${/^[a-z-]+$/.test(first) ? first : '…'}\`\n\n${showHelp()}`)
    return WRONG_USAGE
  }
  return await runListed(listed, words.slice(listed.name.split(' ').length))
}

/** A name of two words comes before one of its first word. */
function findCommand(words: readonly string[]): ListedCommand | undefined {
  return [2, 1]
    .map((count) => words.slice(0, count).join(' '))
    .flatMap((wanted) => COMMANDS.filter(({ name }) => name === wanted))[0]
}

async function runListed({ name, load }: ListedCommand, words: readonly string[]): Promise<number> {
  const command = await load()
  const services = openServices(process.env, name)
  try {
    const { values, args: given, json, help } = readCall(command, words)
    if (help) {
      print(process.stdout, showCommandHelp(name, command))
      return 0
    }
    const note = (line: string): void => print(process.stderr, line)
    const args = await readArguments(given, process.stdin)
    const answer = await command.run({ values, args, services, note } as Parameters<typeof command.run>[0])
    printAnswer(answer, json)
    return answer.isWrong === true ? 1 : 0
  } catch (error) {
    if (error instanceof UsageError) {
      print(process.stderr, `${error.message}\n${showUsage(name, command)}\nSee leadwire ${name} --help`)
      return WRONG_USAGE
    }
    const reason = explainFailure(error)
    if (words.includes('--json')) print(process.stdout, JSON.stringify({ error: reason }))
    print(process.stderr, reason)
    return 1
  } finally {
    // The answer is printed before this: a service that freezes now must not hold it up.
    await services.close()
  }
}

function printAnswer({ data, lines }: Answer, json: boolean): void {
  print(process.stdout, json ? JSON.stringify(data) : lines.join('\n'))
}

function print(to: NodeJS.WriteStream, text: string): void {
  if (text !== '') to.write(`${text}\n`)
}
