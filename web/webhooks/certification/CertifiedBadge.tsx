import { ShieldCheck } from 'lucide-react'
import type { CertificationGrades } from '#core/contract/webhooks/certification-grade.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { exactTime } from '#web/ui/show/format-time.ts'
import { toneOf } from './tone-of-grade.ts'

/** The grade of a webhook's endpoint, while it holds. */
export function CertifiedBadge({ grade: one }: { grade: CertificationGrades['data'][number] | undefined }) {
  if (one === undefined) return null
  return (
    <span title={`Certified ${exactTime(one.finished_at)}`}>
      <Badge tone={toneOf(one.grade)} icon={<ShieldCheck aria-hidden />}>
        Grade {one.grade}
      </Badge>
    </span>
  )
}
