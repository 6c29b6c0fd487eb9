import type { PostingField } from '#core/contract/leads/posting-spec.ts'
import { Badge } from '#web/ui/show/Badge.tsx'

const REQUIRED: Readonly<Record<PostingField['required'], string | undefined>> = {
  yes: 'Required',
  name: 'A name is required',
  contact: 'Phone or email is required',
  no: undefined,
}

/** Lists every accepted field with its meaning, type and an example. */
export function SpecFields({ fields }: { fields: readonly PostingField[] }) {
  return (
    <ul aria-label="Fields" className="divide-y divide-line">
      {fields.map((field) => (
        <li key={field.name} className="grid gap-x-6 gap-y-1 px-4 py-3 text-sm sm:grid-cols-[15rem_1fr]">
          <div className="flex min-w-0 flex-col items-start gap-1">
            <code className="font-mono text-xs leading-5 font-medium break-all">{field.name}</code>
            <span className="text-xs text-muted">{sayType(field)}</span>
            {REQUIRED[field.required] !== undefined && <Badge tone="info">{REQUIRED[field.required]}</Badge>}
          </div>
          <div className="flex min-w-0 flex-col gap-1">
            <p className="break-words">{field.says}</p>
            <p className="text-xs text-muted">
              Example <code className="font-mono break-all text-ink">{JSON.stringify(field.example)}</code>
            </p>
            {field.allowed !== null && field.allowed.length > 0 && (
              <p className="text-xs text-muted">
                One of <code className="font-mono text-ink">{field.allowed.join(', ')}</code>
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function sayType({ type, max_length: longest }: PostingField) {
  return longest === null ? type : `${type}, at most ${longest.toLocaleString('en-US')}`
}
