import { KeyRound } from 'lucide-react'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

export function ApiAccessPanel({ onUseWebhooks }: { onUseWebhooks: () => void }) {
  return (
    <Card title="API Access" actions={<Badge>Coming Soon</Badge>}>
      <EmptyState
        icon={<KeyRound aria-hidden />}
        title="Coming Soon"
        action={<Button onClick={onUseWebhooks}>Use webhooks</Button>}
      >
        API documentation and access keys are Coming Soon. Meanwhile, please use webhooks to receive your
        leads.
      </EmptyState>
    </Card>
  )
}
