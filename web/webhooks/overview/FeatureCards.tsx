import { ShieldCheck, SlidersHorizontal, Zap, type LucideIcon } from 'lucide-react'

interface Feature {
  icon: LucideIcon
  title: string
  text: string
}

const FEATURES: readonly Feature[] = [
  {
    icon: Zap,
    title: 'Real-time delivery',
    text: 'A lead leaves for your endpoint the moment it is received or assigned to you. No polling, no export.',
  },
  {
    icon: ShieldCheck,
    title: 'Secure and reliable',
    text: 'Every request is signed. A delivery that fails is sent again by automatic retries, and every attempt is logged.',
  },
  {
    icon: SlidersHorizontal,
    title: 'Easy setup',
    text: 'Paste a URL, shape the payload with placeholders, see the result beside it, and test before the first lead.',
  },
]

export function FeatureCards() {
  return (
    <ul className="grid gap-4 md:grid-cols-3">
      {FEATURES.map(({ icon: Icon, title, text }) => (
        <li key={title} className="rounded-lg border border-line bg-surface p-5">
          <Icon aria-hidden className="size-5 stroke-[1.75] text-accent" />
          <h3 className="mt-3 text-sm font-semibold">{title}</h3>
          <p className="mt-1 text-sm text-muted">{text}</p>
        </li>
      ))}
    </ul>
  )
}
