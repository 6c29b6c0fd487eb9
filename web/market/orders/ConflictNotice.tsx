import { useEffect, useRef, useState } from 'react'
import { orderTermsSchema, type OrderConflict, type OrderTerms } from '#core/contract/market/order.ts'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { editOrderValues, type OrderField, type OrderFormValues } from './order-form-values.ts'
import { FIELD_LABELS, sayTerm } from './say-terms.ts'

export interface ConflictNoticeProps {
  conflict: OrderConflict
  /** the form's values when the conflict was found */
  values: OrderFormValues
  onChoose: (field: OrderField, value: OrderFormValues[OrderField]) => void
}

/**
 * Shows both values of each field that two people have changed. The form keeps the user's value until the
 * other is chosen; nothing is saved meanwhile.
 */
export function ConflictNotice({ conflict, values, onChoose }: ConflictNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' })
  }, [conflict])
  const [mine] = useState(values)
  const theirs = editOrderValues(conflict.current)
  const { current } = conflict
  const wished = orderTermsSchema.safeParse({ ...current, ...conflict.yours }).data ?? current
  const fields = (Object.keys(FIELD_LABELS) as (keyof OrderTerms)[]).filter(
    (field) => field in conflict.yours,
  )
  return (
    <div ref={notice} className="scroll-mt-5">
      <Banner tone="waiting" urgent title="This order was changed while you edited it">
        <p>Your changes are not saved yet. Choose which value counts, then save again.</p>
        <div className="mt-3 grid gap-4 sm:grid-cols-2">
          {fields.map((field) => (
            <Choice
              key={field}
              field={field}
              yours={sayTerm(field, wished)}
              theirs={sayTerm(field, current)}
              onChoose={(isMine) => {
                if (field !== 'excluded_sources') onChoose(field, (isMine ? mine : theirs)[field])
              }}
            />
          ))}
        </div>
      </Banner>
    </div>
  )
}

interface ChoiceProps {
  field: keyof OrderTerms
  yours: string
  theirs: string
  onChoose: (isMine: boolean) => void
}

function Choice({ field, yours, theirs, onChoose }: ChoiceProps) {
  const [choice, setChoice] = useState<'yours' | 'theirs'>('yours')
  return (
    <div className="min-w-0 rounded-lg bg-surface p-3">
      <RadioGroup
        label={FIELD_LABELS[field]}
        value={choice}
        onValueChange={(next) => {
          setChoice(next)
          onChoose(next === 'yours')
        }}
        options={[
          { value: 'yours', label: yours, hint: 'Yours' },
          { value: 'theirs', label: theirs, hint: 'Saved meanwhile' },
        ]}
      />
    </div>
  )
}
