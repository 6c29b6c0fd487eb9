import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PostingField, PostingSpec } from '#core/contract/leads/posting-spec.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Disclosure } from '#web/ui/action/Disclosure.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { readFaults, sendTestLead } from './send-test-lead.ts'
import { TestLeadAnswer } from './TestLeadAnswer.tsx'
import { TestLeadField } from './TestLeadField.tsx'

/** Fields that this form leaves out: a test from here keeps no external id, and it is always a test. */
const NOT_ASKED: ReadonlySet<string> = new Set(['external_id', 'is_test'])

/** Posts the typed lead as a test, as the source would. Empty fields are not sent. */
export function TestLeadForm({ spec, token }: { spec: PostingSpec; token: string }) {
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>(() => textsOf(spec.example))
  const sending = useMutation({ mutationFn: sendTestLead, retry: false })
  const faults = sending.data === undefined ? {} : readFaults(sending.data)
  const asked = spec.fields.filter(({ name, type }) => type !== 'object' && !NOT_ASKED.has(name))
  const [usual, others] = [
    asked.filter(({ name }) => Object.hasOwn(spec.example, name)),
    asked.filter(({ name }) => !Object.hasOwn(spec.example, name)),
  ]
  const draw = (fields: readonly PostingField[]) => (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {fields.map((field) => (
        <TestLeadField
          key={field.name}
          field={field}
          value={entered[field.name] ?? ''}
          error={faults[field.name]}
          onChange={(value) => setEntered({ ...entered, [field.name]: value })}
        />
      ))}
    </div>
  )
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const lead = Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== ''))
        if (!sending.isPending) sending.mutate({ token, lead })
      }}
    >
      <p className="max-w-prose text-sm text-muted">
        It is processed and answered like a real lead, but it is a test that nobody buys. The person in the
        example is fictional.
      </p>
      {draw(usual)}
      <Disclosure title="More fields">{draw(others)}</Disclosure>
      <div>
        <Button type="submit" variant="primary" busy={sending.isPending}>
          Send test lead
        </Button>
      </div>
      {sending.isError && (
        <Banner tone="failure" urgent title="No answer came">
          Check your connection and send it again.
        </Banner>
      )}
      {sending.data !== undefined && !sending.isPending && <TestLeadAnswer answer={sending.data} />}
    </form>
  )
}

function textsOf(example: PostingSpec['example']) {
  return Object.fromEntries(
    Object.entries(example).flatMap(([name, value]) =>
      typeof value === 'object' || NOT_ASKED.has(name) ? [] : [[name, String(value)]],
    ),
  )
}
