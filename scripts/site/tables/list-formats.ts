import { FORMATS } from '#core/domain/webhooks/template/formats/formats.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { renderPayload } from '#core/domain/webhooks/template/render-template.ts'
import { asCode, writeTable } from './write-table.ts'

const SENT_AT = new Date('2026-01-01T12:00:02Z')

/** Every format of a placeholder, with its result for the fictional lead. */
export function listFormats(): string {
  const rows = FORMATS.map(({ example, description }) => {
    const { body } = renderPayload(JSON.stringify([example]), 'JSON', sampleValues('test', SENT_AT))
    return [asCode(example), description, asCode(body.slice(1, -1))]
  })
  return writeTable(['Placeholder with a format', 'Result', 'Example'], rows)
}
