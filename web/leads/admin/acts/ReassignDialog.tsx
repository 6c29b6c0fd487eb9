import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { leadMovedSchema, type LeadStory } from '#core/contract/leads/admin-lead.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { errorSentence } from '#web/api/errors.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useReason } from '#web/components/admin/use-reason.ts'
import { formatMoney, sayRest } from '#web/format/money.ts'
import { clientQuery } from '#web/market/admin-client-queries.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { PickClient } from '../list/PickClient.tsx'
import { useLeadChange } from './use-lead-change.ts'

export interface ReassignDialogProps {
  lead: LeadDetail
  holder: LeadStory['holders'][number] | undefined
  /** dollars that the holder gets back: the price without a late credit */
  rest: string
  onClose: () => void
}

/** Chooses the client and the order that get the lead. */
export function ReassignDialog({ lead, holder, rest, onClose }: ReassignDialogProps) {
  const [client, setClient] = useState('')
  const [order, setOrder] = useState('')
  const reason = useReason()
  const found = useQuery({ ...clientQuery(client), enabled: client !== '' })
  const orders = (found.data?.order_list ?? []).filter(({ lead_type: type }) => type === lead.lead_type)
  const hint =
    client === ''
      ? 'Choose the client first.'
      : found.isLoading
        ? 'Loading the client’s orders…'
        : found.isSuccess && orders.length === 0
          ? 'This client has no order for such leads.'
          : undefined
  const change = useLeadChange(
    () =>
      request(apiPath('admin', 'leads', lead.id, 'reassign'), leadMovedSchema, {
        method: 'POST',
        body: { order_id: order, reason: reason.text },
      }),
    {
      done: ({ price, credited }) =>
        credited === null
          ? `Assigned for ${formatMoney(price)}`
          : `Reassigned: ${formatMoney(credited)} credited, ${formatMoney(price)} charged`,
      onDone: onClose,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={holder === undefined ? 'Assign this lead?' : 'Reassign this lead?'}
      description={
        holder === undefined
          ? 'The order pays its own price. Suppression, duplicates, licence, caps and funds are judged as for any sale.'
          : `${holder.client.name} gets ${sayRest(rest)} back and no longer sees whose lead it was. The other order pays its own price; suppression, duplicates, licence, caps and funds are judged as for any sale.`
      }
      submit={holder === undefined ? 'Assign' : 'Reassign'}
      dirty={reason.text !== '' || client !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <PickClient
        client={client}
        onChoose={(next) => {
          setClient(next)
          setOrder('')
        }}
        className="block w-full"
      />
      <Field
        label="Order"
        required
        error={found.isError ? errorSentence(found.error) : change.faultOf('order_id')}
        hint={hint}
      >
        <Select
          value={order}
          onValueChange={setOrder}
          options={[
            { value: '', label: 'Choose an order' },
            ...orders.map(({ id, name, charged }) => ({
              value: id,
              label: `${name}, ${formatMoney(charged)}`,
            })),
          ]}
        />
      </Field>
      <ReasonField reason={reason} fault={change.faultOf('reason')} />
    </ChangeDialog>
  )
}
