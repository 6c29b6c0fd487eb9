import type { Fault, Page } from './page.ts'
import type { Repository } from './repository.ts'

const SECTIONS = /\b(?:docs\/)?(product|contract)\.md((?:(?:,| and| or)? ?§\d+)+)/g
const DECISION = /\bdecisions?(?:\/| )(\d{4})(?!\d)/gi
const SHOUTED = /\b[A-Z]{3,}\.md\b/g

/**
 * A cited section must be a heading of that document, a cited decision a file, and a document in capitals
 * must exist.
 */
export function checkCitations(repository: Repository, { file, lines }: Page): Fault[] {
  return lines.flatMap((text, index) => {
    const fault = (reason: string): Fault => ({ file, line: index + 1, reason })
    const sections = [...text.matchAll(SECTIONS)].flatMap(([, name = '', list = '']) =>
      [...list.matchAll(/\d+/g)]
        .filter(([number]) => !hasSection(repository, `docs/${name}.md`, number))
        .map(([number]) => fault(`docs/${name}.md has no section ${number}`)),
    )
    const decisions = [...text.matchAll(DECISION)]
      .filter(([, number]) => !repository.has(`docs/decisions/${number}-*.md`))
      .map(([, number]) => fault(`there is no decision ${number}`))
    const documents = [...text.matchAll(SHOUTED)]
      .filter(([name]) => !repository.hasName(name))
      .map(([name]) => fault(`${name} is no document of this repository`))
    return [...sections, ...decisions, ...documents]
  })
}

function hasSection(repository: Repository, document: string, number: string): boolean {
  if (!repository.has(document)) return false
  return repository
    .read(document)
    .split('\n')
    .some((line) => line.startsWith(`## ${number}. `))
}
