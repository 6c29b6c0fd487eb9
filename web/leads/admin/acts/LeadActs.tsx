import { Ban, RotateCw, Send, ShieldBan, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LeadStory } from '#core/contract/leads/admin-lead.ts'
import { useMay } from '#web/components/admin/use-may.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { EraseLeadDialog } from './EraseLeadDialog.tsx'
import { OfferAgainDialog } from './OfferAgainDialog.tsx'
import { ReassignDialog } from './ReassignDialog.tsx'
import { ReturnForClientDialog } from './ReturnForClientDialog.tsx'
import { RevokeDialog } from '../revocations/RevokeDialog.tsx'
import { SuppressLeadDialog } from './SuppressLeadDialog.tsx'

type Act = 'reassign' | 'offer' | 'return' | 'revoke' | 'suppress' | 'erase'

/** The holder's price without a late credit. */
function restOfPrice({ money }: LeadStory, holder: LeadStory['holders'][number] | undefined): string {
  if (holder === undefined) return '0.00'
  const credited = money
    .filter(
      ({ entry_type: type, client }) => type === 'late_credit' && client.user_id === holder.client.user_id,
    )
    .reduce((sum, { amount }) => sum + Number(amount), 0)
  return (Number(holder.price) - credited).toFixed(2)
}

/** Buttons for what an administrator may do with a lead. The server judges each act again. */
export function LeadActs({ lead, story }: { lead: LeadDetail; story: LeadStory }) {
  const [act, setAct] = useState<Act>()
  const close = () => setAct(undefined)
  const holder = story.holders.find(({ state }) => state === 'active')
  const rest = restOfPrice(story, holder)
  const isGone = lead.status === 'redacted'
  const [mayMove, mayChange] = [useMay('money'), useMay('leads')]
  const isMarket = story.receipt.owner === null && !lead.is_test && !isGone
  return (
    <div className="flex flex-wrap gap-2">
      {isMarket && mayMove && (
        <Button size="sm" icon={<Send aria-hidden className="size-4" />} onClick={() => setAct('reassign')}>
          {holder === undefined ? 'Assign' : 'Reassign'}
        </Button>
      )}
      {isMarket && mayChange && holder === undefined && (
        <Button size="sm" icon={<RotateCw aria-hidden className="size-4" />} onClick={() => setAct('offer')}>
          Offer again
        </Button>
      )}
      {isMarket && mayMove && holder !== undefined && (
        <Button size="sm" icon={<Undo2 aria-hidden className="size-4" />} onClick={() => setAct('return')}>
          Return
        </Button>
      )}
      {!isGone && mayChange && !lead.is_test && story.receipt.consent_revoked_at === null && (
        <Button
          size="sm"
          icon={<ShieldBan aria-hidden className="size-4" />}
          onClick={() => setAct('revoke')}
        >
          Revoke consent
        </Button>
      )}
      {!isGone && mayChange && !lead.is_test && (
        <Button size="sm" icon={<Ban aria-hidden className="size-4" />} onClick={() => setAct('suppress')}>
          Suppress
        </Button>
      )}
      {!isGone && mayChange && (
        <Button size="sm" icon={<Trash2 aria-hidden className="size-4" />} onClick={() => setAct('erase')}>
          Erase
        </Button>
      )}
      {act === 'reassign' && <ReassignDialog lead={lead} holder={holder} rest={rest} onClose={close} />}
      {act === 'offer' && <OfferAgainDialog leadId={lead.id} onClose={close} />}
      {act === 'return' && holder !== undefined && (
        <ReturnForClientDialog leadId={lead.id} holder={holder} rest={rest} onClose={close} />
      )}
      {act === 'revoke' && <RevokeDialog about={{ lead_id: lead.id }} onClose={close} />}
      {act === 'suppress' && <SuppressLeadDialog leadId={lead.id} onClose={close} />}
      {act === 'erase' && <EraseLeadDialog leadId={lead.id} onClose={close} />}
    </div>
  )
}
