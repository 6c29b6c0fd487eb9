import { readAuditDetails } from '#core/domain/accounts/audit-words.ts'
import { words } from '#web/format/words.ts'

/** Before and after of each changed field, the reason, and what else the row holds. */
export function AuditChanges({ details }: { details: Readonly<Record<string, unknown>> }) {
  const { changes, note, rest } = readAuditDetails(details)
  return (
    <span className="block max-w-xl text-sm wrap-anywhere">
      {changes.map(({ field, before, after }) => (
        <span key={field} className="block">
          <span className="text-muted">{words(field)}: </span>
          {before !== '' && <del className="text-muted">{before}</del>}
          {before !== '' && after !== '' && ' → '}
          {after !== '' && <ins className="no-underline">{after}</ins>}
        </span>
      ))}
      {note !== '' && <q className="block">{note}</q>}
      {rest !== '' && <span className="block text-xs text-muted">{rest}</span>}
    </span>
  )
}
