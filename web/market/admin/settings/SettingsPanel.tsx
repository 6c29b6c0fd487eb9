import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  marketplaceSettingsSchema,
  type MarketplaceSettings,
  type RuleSetting,
  type TextSetting,
} from '#core/contract/market/money/marketplace-settings.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'

import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useMay } from '#web/components/admin/use-may.ts'
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
import { SetElsewhere } from './SetElsewhere.tsx'

/** The settings of the marketplace: seller, bank details, rules of selling; and what is set elsewhere. */
export function SettingsPanel() {
  const settings = useQuery(settingsQuery)
  if (settings.data !== undefined)
    return (
      <div className="flex flex-col gap-6">
        <SettingsForm key={settings.data.changed_at} settings={settings.data} />
        <SetElsewhere settings={settings.data} />
      </div>
    )
  if (!settings.isError) return <CardSkeleton />
  return (
    <LoadFailure
      title="The settings could not be loaded."
      error={settings.error}
      onRetry={() => void settings.refetch()}
    />
  )
}

const RULES: readonly { name: RuleSetting; label: string; hint: string; variable?: string }[] = [
  {
    name: 'hold_hours',
    label: 'Hours that an unsold lead is held',
    hint: 'It is offered again until then, counted from its receipt. Leads that are held already keep their time.',
    variable: 'LEAD_HOLD_HOURS',
  },
  {
    name: 'duplicate_days',
    label: 'Days in which a person is a duplicate',
    hint: 'After a sale, another lead of the same person and type is not sold. 0: it always is.',
    variable: 'LEAD_DUPLICATE_DAYS',
  },
  {
    name: 'resale_days',
    label: 'Days without the same person for a client',
    hint: 'After a sale, the same client gets no other lead of the person and type. 0: it may.',
    variable: 'LEAD_RESALE_DAYS',
  },
  {
    name: 'late_credit_daily_dollars',
    label: 'Dollars of late credits in a day',
    hint: 'Beyond it, credits for late leads wait for the next days; a larger one waits until this is raised. Prices say for which lead types there are any.',
  },
]

const write = (rule: number | null) => (rule === null ? '' : String(rule))
/** A text that is no whole number goes to the server, which refuses it at its field. */
const read = (text: string) => {
  if (text.trim() === '') return null
  return /^\d+$/.test(text.trim()) ? Number(text) : text
}

function SettingsForm({ settings }: { settings: MarketplaceSettings }) {
  const { changed_at: changedAt, seller_name, seller_address, bank_details } = settings
  const saved = {
    seller_name,
    seller_address,
    bank_details,
    hold_hours: write(settings.hold_hours),
    duplicate_days: write(settings.duplicate_days),
    resale_days: write(settings.resale_days),
    late_credit_daily_dollars: write(settings.late_credit_daily_dollars),
  }
  const [values, setValues] = useState(saved)
  const mayChange = useMay('people')
  const note = useReason('Note is required')
  const change = useChange(
    () =>
      request(apiPath('admin', 'settings'), marketplaceSettingsSchema, {
        method: 'PATCH',
        body: {
          ...values,
          hold_hours: read(values.hold_hours),
          duplicate_days: read(values.duplicate_days),
          resale_days: read(values.resale_days),
          late_credit_daily_dollars: read(values.late_credit_daily_dollars),
          note: note.text,
        },
      }),
    { done: () => 'The settings are saved', onDone: () => note.enter('') },
  )
  const fieldOf = (name: TextSetting | RuleSetting) => ({
    value: values[name],
    disabled: !mayChange,
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved)
  return (
    <Card title="Money and selling" className="max-w-2xl">
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
          hint="Clients who request funds read this, and get it by mail, with the amount and a reference."
          error={change.faultOf('bank_details')}
        >
          <TextArea rows={4} maxLength={1000} {...fieldOf('bank_details')} />
        </Field>
        {RULES.map(({ name, label, hint, variable }) => (
          <Field
            key={name}
            label={label}
            hint={`${hint} ${sayUsual(settings, name, variable)}`}
            error={change.faultOf(name)}
          >
            <TextInput
              inputMode="numeric"
              maxLength={6}
              placeholder={String(settings.usual?.[name] ?? '')}
              className="max-w-24"
              {...fieldOf(name)}
            />
          </Field>
        ))}
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
            Changed <RelativeTime at={changedAt} />. Servers and workers follow within 15 seconds.
          </p>
        )}
      </form>
    </Card>
  )
}

function sayUsual({ usual }: MarketplaceSettings, name: RuleSetting, variable: string | undefined) {
  if (usual === undefined) return ''
  return variable === undefined ? `Empty: ${usual[name]}.` : `Empty: ${usual[name]}, as ${variable} says.`
}
