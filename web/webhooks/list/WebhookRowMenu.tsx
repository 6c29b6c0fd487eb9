import {
  Ellipsis,
  FlaskConical,
  Pencil,
  Power,
  PowerOff,
  ScrollText,
  ShieldCheck,
  Trash2,
} from 'lucide-react'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { Menu } from '#web/ui/overlay/Menu.tsx'
import { MenuItem, MenuSeparator } from '#web/ui/overlay/MenuItem.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'

export interface WebhookActions {
  onEdit: (config: WebhookConfig) => void
  onTest: (config: WebhookConfig) => void
  onCertify: (config: WebhookConfig) => void
  onToggle: (config: WebhookConfig) => void
  onViewLogs: (config: WebhookConfig) => void
  onDelete: (config: WebhookConfig) => void
}

export interface WebhookRowMenuProps extends WebhookActions {
  config: WebhookConfig
  /** True while a test or a change of this row is in progress. */
  busy: boolean
}

export function WebhookRowMenu({ config, busy, ...actions }: WebhookRowMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={`Actions for ${config.webhook_name}`}
          icon={busy ? <Spinner /> : <Ellipsis aria-hidden />}
        />
      }
    >
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => actions.onEdit(config)}>
        Edit
      </MenuItem>
      <MenuItem
        asks
        icon={<FlaskConical aria-hidden />}
        disabled={busy}
        onSelect={() => actions.onTest(config)}
      >
        Test Endpoint
      </MenuItem>
      <MenuItem
        asks
        icon={config.is_active ? <PowerOff aria-hidden /> : <Power aria-hidden />}
        disabled={busy}
        onSelect={() => actions.onToggle(config)}
      >
        {config.is_active ? 'Deactivate' : 'Activate'}
      </MenuItem>
      <MenuItem icon={<ScrollText aria-hidden />} onSelect={() => actions.onViewLogs(config)}>
        View Logs
      </MenuItem>
      {!isMailUrl(config.endpoint_url) && (
        <MenuItem icon={<ShieldCheck aria-hidden />} onSelect={() => actions.onCertify(config)}>
          Certify endpoint
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden />} tone="danger" onSelect={() => actions.onDelete(config)}>
        Delete
      </MenuItem>
    </Menu>
  )
}
