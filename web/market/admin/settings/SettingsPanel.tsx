import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  marketplaceSettingsSchema,
  type MarketplaceSettings,
} from '#core/contract/market/money/marketplace-settings.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { meQuery } from '#web/api/me.ts'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { settingsQuery } from '../../admin-money-queries.ts'

/** The settings of the marketplace: the seller on receipts, and where requested funds are paid to. */
export function SettingsPanel() {
  const settings = useQuery(settingsQuery)
  if (settings.data !== undefined)
    return <SettingsForm key={settings.data.changed_at} settings={settings.data} />
  if (!settings.isError) return <CardSkeleton />
  return (
    <LoadFailure
      title="The settings could not be loaded."
      error={settings.error}
      onRetry={() => void settings.refetch()}
    />
  )
}

function SettingsForm({ settings }: { settings: MarketplaceSettings }) {
  const { changed_at: changedAt, seller_name, seller_address, bank_details } = settings
  const saved = { seller_name, seller_address, bank_details }
  const [values, setValues] = useState(saved)
  const mayChange = useQuery(meQuery).data?.permissions.includes('people') === true
  const note = useReason('Note is required')
  const change = useChange(
    () =>
      request(apiPath('admin', 'settings'), marketplaceSettingsSchema, {
        method: 'PATCH',
        body: { ...values, note: note.text },
      }),
    { done: () => 'The settings are saved', onDone: () => note.enter('') },
  )
  const fieldOf = (name: keyof typeof saved) => ({
    value: values[name],
    disabled: !mayChange,
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved)
  return (
    <Card title="Money" className="max-w-2xl">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          note.askFor(() => change.send(undefined))
        }}
      >
        {change.failure !== undefined && (
          <Banner tone="failure" urgent>
            {change.failure}
          </Banner>
        )}
        <Field label="Seller’s name" hint="On receipts and statements" error={change.faultOf('seller_name')}>
          <TextInput maxLength={120} {...fieldOf('seller_name')} />
        </Field>
        <Field
          label="Seller’s address"
          hint="Receipts keep the name and address of their day."
          error={change.faultOf('seller_address')}
        >
          <TextArea rows={3} maxLength={500} {...fieldOf('seller_address')} />
        </Field>
        <Field
          label="Bank details"
          hint="Clients who request funds read and get by mail where to pay, with the amount and a reference."
          error={change.faultOf('bank_details')}
        >
          <TextArea rows={4} maxLength={1000} {...fieldOf('bank_details')} />
        </Field>
        {mayChange && <ReasonField reason={note} fault={change.faultOf('note')} label="Note" />}
        {mayChange ? (
          <Button
            type="submit"
            variant="primary"
            busy={change.isBusy}
            disabled={!isDirty}
            className="self-start"
          >
            Save settings
          </Button>
        ) : (
          <p className="text-sm text-muted">Only owners change these.</p>
        )}
        {changedAt !== null && (
          <p className="text-xs text-muted">
            Changed <RelativeTime at={changedAt} />.
          </p>
        )}
      </form>
    </Card>
  )
}
