import { Ban, Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { DataHeld } from '#core/contract/leads/data-subject.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { countOf } from '#web/format/count-of.ts'
import { words } from '#web/format/words.ts'
import { adminItemPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { exactTime } from '#web/ui/show/format-time.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { RevokeDialog } from '../revocations/RevokeDialog.tsx'
import { PersonRequestDialog } from './PersonRequestDialog.tsx'

export interface PersonFoundProps {
  held: DataHeld
  contact: string
  onErased: () => void
}

export function PersonFound({ held, contact, onErased }: PersonFoundProps) {
  const [asked, setAsked] = useState<'export' | 'erase' | 'revoke'>()
  const isNothing = held.lead_count + held.messages + held.import_rows === 0
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
        <div role="status" className="min-w-0 text-sm">
          <p>{sayHeld(held)}</p>
          <p className="text-muted">{sayBeside(held)}</p>
        </div>
        <span className="flex flex-wrap gap-2">
          <Button
            size="sm"
            icon={<Download aria-hidden className="size-4" />}
            disabled={isNothing && held.suppressions.length === 0}
            onClick={() => setAsked('export')}
          >
            Download a copy
          </Button>
          <Button size="sm" icon={<Ban aria-hidden className="size-4" />} onClick={() => setAsked('revoke')}>
            Revoke consent
          </Button>
          <Button
            size="sm"
            icon={<Trash2 aria-hidden className="size-4" />}
            disabled={isNothing}
            onClick={() => setAsked('erase')}
          >
            Erase person
          </Button>
        </span>
      </div>
      {held.leads.length > 0 && (
        <Listing
          label="Leads of this person"
          items={held.leads}
          keyOf={({ id }) => id}
          columns={[
            {
              header: 'Lead',
              render: ({ id, lead_type: type, state }) => (
                <Link
                  to={adminItemPath('leads', id)}
                  className="-my-1 inline-flex min-h-6 items-center rounded-sm hover:underline"
                >
                  {words(type)}
                  {state !== null && ` · ${state}`}
                </Link>
              ),
            },
            { header: 'Received', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
            {
              header: 'Source',
              render: ({ source_name: name }) => <span className="block max-w-40 truncate">{name}</span>,
            },
            {
              header: 'Outcome',
              part: 'how',
              render: ({ holder, status }) => (
                <span className="block max-w-48 truncate">
                  {holder !== null && status === 'assigned' ? holder.name : words(status)}
                </span>
              ),
            },
            { header: 'Consent', part: 'note', render: (lead) => <Consent lead={lead} /> },
          ]}
        />
      )}
      {asked === 'revoke' && <RevokeDialog about={{ contact }} onClose={() => setAsked(undefined)} />}
      {asked !== undefined && asked !== 'revoke' && (
        <PersonRequestDialog
          act={asked}
          contact={contact}
          held={held}
          onClose={() => setAsked(undefined)}
          onErased={onErased}
        />
      )}
    </>
  )
}

function Consent({ lead }: { lead: DataHeld['leads'][number] }) {
  const {
    consent_given: isGiven,
    consent_at: at,
    consent_text: text,
    trustedform_cert_url: certificate,
  } = lead
  const parts = [
    isGiven === null ? 'Not said' : isGiven ? 'Given' : 'Not given',
    at === null ? null : exactTime(at),
    lead.consent_ip,
    certificate === null ? null : 'TrustedForm',
    lead.jornaya_leadid === null ? null : 'Jornaya',
  ].filter((part) => part !== null)
  return (
    <span className="block max-w-96 text-xs" title={text ?? undefined}>
      {parts.join(' · ')}
      {text !== null && <span className="block truncate text-muted">“{text}”</span>}
    </span>
  )
}

function sayHeld({ kind, lead_count: leads, messages, import_rows: rows }: DataHeld) {
  const parts = [
    countOf(leads, 'lead'),
    ...(messages > 0 ? [countOf(messages, 'message')] : []),
    ...(rows > 0 ? [`${countOf(rows, 'imported row')} that became no lead`] : []),
  ]
  if (leads + messages + rows === 0) return `Nothing is stored about a person with this ${kind}.`
  return `Stored: ${parts.join(', ')}.`
}

function sayBeside({ suppressions, accounts }: DataHeld) {
  const [entry] = suppressions
  return [
    entry === undefined
      ? 'Not on the suppression list.'
      : `On the suppression list: ${words(entry.reason).toLowerCase()}.`,
    ...accounts.map(({ name }) => `${name} signs in with it; the account is deleted by itself, not here.`),
  ].join(' ')
}
