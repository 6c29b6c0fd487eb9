import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Controller, useFieldArray, useFormContext } from 'react-hook-form'
import { MOST_RULES } from '#core/contract/webhooks/conditions.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { NEW_RULE } from './rule-draft.ts'
import { RuleRow } from './RuleRow.tsx'

const MATCHES = [
  { value: 'all', label: 'all of these' },
  { value: 'any', label: 'any of these' },
] as const

/** Edits the conditions for leads. The focus follows rows that are added or removed. */
export function Conditions() {
  const { control } = useFormContext<WebhookFormValues>()
  const { fields, append, remove } = useFieldArray<WebhookFormValues, 'conditions.rules'>({
    name: 'conditions.rules',
  })
  const list = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState<{ row: number } | null>(null)
  useEffect(() => {
    if (wanted === null) return
    const rows = list.current?.querySelectorAll('li') ?? []
    const row = rows[Math.min(wanted.row, rows.length - 1)] ?? list.current
    row?.querySelector<HTMLElement>('button')?.focus()
  }, [wanted])
  return (
    <div ref={list} role="group" aria-label="Which leads" className="flex min-w-0 flex-col gap-2">
      <p className="text-sm font-medium">Which leads</p>
      {fields.length === 0 && (
        <p className="text-xs text-muted">
          Every lead. A lead that does not fit a condition is not sent here; its timeline says why.
        </p>
      )}
      {fields.length > 1 && (
        <Controller
          control={control}
          name="conditions.match"
          render={({ field, fieldState }) => (
            <Field
              label="A lead is sent when it fits"
              error={fieldState.error?.message}
              className="sm:grid sm:grid-cols-[auto_9rem] sm:items-center sm:justify-start sm:gap-x-3"
            >
              <Select value={field.value} onValueChange={field.onChange} options={MATCHES} />
            </Field>
          )}
        />
      )}
      {fields.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {fields.map(({ id }, index) => (
            <RuleRow
              key={id}
              index={index}
              onRemove={() => {
                remove(index)
                setWanted({ row: index })
              }}
            />
          ))}
        </ul>
      )}
      <Button
        size="sm"
        className="self-start"
        icon={<Plus aria-hidden className="size-4" />}
        disabled={fields.length >= MOST_RULES}
        onClick={() => {
          append({ ...NEW_RULE }, { shouldFocus: false })
          setWanted({ row: fields.length })
        }}
      >
        Add a condition
      </Button>
    </div>
  )
}
