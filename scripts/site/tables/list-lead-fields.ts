import { POSTING_ANSWERS } from '#core/contract/leads/posting-answers.ts'
import { describeFields } from '#server/leads/posting-spec/describe-fields.ts'
import { asCode, writeTable } from './write-table.ts'

const REQUIRED = {
  yes: 'yes',
  name: 'a name is required',
  contact: 'phone or email is required',
  no: 'no',
} as const

/** Every field of a posted lead, from the schema that judges it. */
export function listLeadFields(): string {
  const rows = describeFields([]).map(({ name, says, type, max_length: most, required, example }) => [
    asCode(name),
    says,
    most === null ? type : `${type}, at most ${most.toLocaleString('en-US')} characters`,
    REQUIRED[required],
    asCode(JSON.stringify(example)),
  ])
  return writeTable(['Field', 'What it is', 'Type', 'Required', 'Example'], rows)
}

/** The answers that a source may get. */
export function listPostingAnswers(): string {
  const rows = POSTING_ANSWERS.map(({ status, when, body }) => [
    asCode(String(status)),
    when,
    asCode(JSON.stringify(body)),
  ])
  return writeTable(['Status', 'When', 'Body'], rows)
}
