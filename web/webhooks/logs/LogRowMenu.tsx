import { Ban, Copy, Ellipsis, PanelRightOpen, RotateCw, UserRound } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import { describeLead } from '#web/components/webhook-log-cells.ts'
import { leadPath } from '#web/paths.ts'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { Menu } from '#web/ui/overlay/Menu.tsx'
import { MenuItem, MenuSeparator } from '#web/ui/overlay/MenuItem.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { canCancel, offerResend } from './offer-actions.ts'
import type { DeliveryActions } from './use-delivery-actions.tsx'

export interface LogRowMenuProps {
  log: DeliveryLog
  isWebhookActive: boolean
  now: Date
  actions: DeliveryActions
  onOpen: () => void
}

export function LogRowMenu({ log, isWebhookActive, now, actions, onOpen }: LogRowMenuProps) {
  const navigate = useNavigate()
  const { lead_id: lead } = log
  const offer = offerResend(log, isWebhookActive, now)
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={`Actions for ${describeLead(log).name}, attempt ${log.attempt_number}`}
          icon={<Ellipsis aria-hidden />}
        />
      }
    >
      {offer.kind === 'refused' ? (
        <>
          <MenuItem icon={<RotateCw aria-hidden />} disabled>
            Resend
          </MenuItem>
          <p className="max-w-52 px-2 pb-1.5 pl-8 text-xs text-muted">{offer.reason}</p>
        </>
      ) : (
        <MenuItem icon={<RotateCw aria-hidden />} onSelect={() => actions.resend(log)}>
          {offer.kind === 'now' ? 'Send now' : 'Resend'}
        </MenuItem>
      )}
      <MenuItem icon={<PanelRightOpen aria-hidden />} onSelect={onOpen}>
        Show attempt
      </MenuItem>
      {lead !== null && (
        <MenuItem icon={<UserRound aria-hidden />} onSelect={() => void navigate(leadPath(lead))}>
          Open lead
        </MenuItem>
      )}
      <MenuItem icon={<Copy aria-hidden />} onSelect={() => copyId(log.delivery_id)}>
        Copy delivery id
      </MenuItem>
      {canCancel(log) && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Ban aria-hidden />} tone="danger" onSelect={() => actions.cancel(log)}>
            Cancel delivery
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

function copyId(id: string) {
  navigator.clipboard.writeText(id).then(
    () => toast.success('The delivery id is copied.'),
    () => toast.error('The browser refused to copy. Select the text and copy it by hand.'),
  )
}
