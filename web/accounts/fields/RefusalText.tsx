import { Banner } from '#web/ui/show/Banner.tsx'

/** Shows why the service refused, and announces it at once; nothing without a refusal. */
export function RefusalText({ text }: { text: string | null }) {
  return text === null ? null : (
    <Banner tone="failure" urgent>
      {text}
    </Banner>
  )
}
