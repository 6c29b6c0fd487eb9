import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { leadPriceSchema } from '#core/contract/market/lead-price.ts'
import { SOLD_STATES, STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { formatMoney } from '#web/format/money.ts'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { clientsQuery } from '../../admin-client-queries.ts'
import { leadTypesQuery } from '../../admin-market-queries.ts'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

const STATES = [
  { value: '', label: 'All states' },
  ...SOLD_STATES.map((code) => ({ value: code, label: STATE_NAMES[code] ?? code })),
]
const DEBOUNCE_MS = 250

export function LeadPriceDialog({ onClose }: { onClose: () => void }) {
  const types = useQuery(leadTypesQuery)
  const [type, setType] = useState('')
  const [state, setState] = useState('')
  const [client, setClient] = useState({ id: '', name: '' })
  const [search, setSearch] = useState('')
  const [price, setPrice] = useState('')
  const reason = useReason()
  const found = useInfiniteQuery(
    clientsQuery({ search: useDebounced(search.trim(), DEBOUNCE_MS), status: '' }),
  )
  const options = (types.data?.data ?? []).map(({ code, label }) => ({ value: code, label }))
  const lead_type = type === '' ? (options[0]?.value ?? '') : type
  const floor = types.data?.data.find(({ code }) => code === lead_type)?.floor_price
  const change = useChange(
    () =>
      request(apiPath('admin', 'lead-prices'), leadPriceSchema, {
        method: 'POST',
        body: {
          lead_type,
          state: state === '' ? null : state,
          client_user_id: client.id === '' ? null : client.id,
          price,
          note: reason.text,
        },
      }),
    { done: (set) => `Price set to ${formatMoney(set.price)}`, onDone: onClose },
  )
  const clients = (found.data?.pages.flatMap((page) => page.data) ?? []).map((one) => ({
    value: one.user_id,
    label: one.display_name,
  }))
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Set a price"
      description="For a state, a client, or a client’s state. It replaces an earlier price for the same."
      submit="Set price"
      dirty={price !== '' || reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <Field label="Lead type" required error={change.faultOf('lead_type')}>
        <Select value={lead_type} onValueChange={setType} options={options} />
      </Field>
      <Field label="State" error={change.faultOf('state')}>
        <Select value={state} onValueChange={setState} options={STATES} />
      </Field>
      <Field label="Find a client" hint="A part of name, email or business narrows the list below.">
        <TextInput value={search} onChange={(event) => setSearch(event.target.value)} />
      </Field>
      <Field label="Client" error={change.faultOf('client_user_id')}>
        <Select
          value={client.id}
          onValueChange={(id) =>
            setClient({ id, name: clients.find(({ value }) => value === id)?.label ?? client.name })
          }
          options={[
            { value: '', label: 'All clients' },
            // The chosen client stays in the list, whatever the search finds.
            ...(client.id === '' || clients.some(({ value }) => value === client.id)
              ? []
              : [{ value: client.id, label: client.name }]),
            ...clients,
          ]}
        />
      </Field>
      <Field
        label="Price ($)"
        required
        error={change.faultOf('price')}
        {...(floor !== undefined && { hint: `At least ${formatMoney(floor)}, the floor of this type` })}
      >
        <TextInput inputMode="decimal" value={price} onChange={(event) => setPrice(event.target.value)} />
      </Field>
      <ReasonField reason={reason} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}
