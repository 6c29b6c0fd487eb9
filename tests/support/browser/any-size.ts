import { expect, type Page } from '@playwright/test'

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 800 }

/**
 * A desk, a phone, and both with the text enlarged to twice its size, which halves the width. Each step changes only
 * one of the two, because another window size costs most.
 */
const SIZES = [
  { ...DESK, text: 100 },
  { ...DESK, text: 200 },
  { ...PHONE, text: 200 },
  { ...PHONE, text: 100 },
]

/**
 * Finds layout faults: content wider than the page or its frame (except scrolling code and text that is cut
 * on purpose), content cut off by a frame, a sentence narrower than a word, words that overflow their
 * container, and controls below 24 px (WCAG 2.5.8, except within a sentence).
 */
const FIND_FAULTS = `(() => {
  const faults = []
  const name = (element) => element.tagName.toLowerCase() + ' "' + (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40) + '"'
  const over = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth
  if (over > 0) faults.push('the page is ' + over + ' px too wide')
  for (const frame of document.querySelectorAll('[role=region], [role=tablist], [role=dialog] *, main')) {
    if (frame.closest('pre, code, .cm-editor') !== null || !frame.checkVisibility()) continue
    if (frame.scrollWidth > frame.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(frame).overflowX))
      faults.push(name(frame) + ' scrolls by ' + (frame.scrollWidth - frame.clientWidth) + ' px')
  }
  for (const frame of document.querySelectorAll('main *, [role=dialog] *')) {
    const { overflowX, textOverflow } = getComputedStyle(frame)
    if (!/hidden|clip/.test(overflowX) || frame.clientWidth < 2 || frame.textContent.trim() === '' || !frame.checkVisibility()) continue
    if (frame.closest('.sr-only, .cm-editor, thead') !== null || frame.scrollWidth <= frame.clientWidth + 1) continue
    // Words that end in an ellipsis are meant to, as long as some of them can be read.
    if (textOverflow !== 'ellipsis') faults.push(name(frame) + ' is cut off by ' + (frame.scrollWidth - frame.clientWidth) + ' px')
    else if (frame.clientWidth < 3 * parseFloat(getComputedStyle(frame).fontSize)) faults.push(name(frame) + ' has ' + frame.clientWidth + ' px for its words')
  }
  for (const part of document.querySelectorAll('main p, [role=dialog] p, [role=dialog] dd, main dd, [role=menu] p, [role=dialog] dd > span, [role=option] p')) {
    const { width, height } = part.getBoundingClientRect()
    if (height === 0 || !part.checkVisibility() || part.closest('pre, code, .sr-only, .cm-editor, [inert]') !== null) continue
    const letter = parseFloat(getComputedStyle(part).fontSize)
    if (part.textContent.trim().length > 12 && width < 3 * letter && height > 4 * letter) faults.push(name(part) + ' has ' + Math.round(width) + ' px for its words')
    if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0 && getComputedStyle(part).overflowX === 'visible') faults.push(name(part) + ' sticks out by ' + (part.scrollWidth - part.clientWidth) + ' px')
  }
  for (const choice of document.querySelectorAll('[role=combobox]')) {
    const room = choice.querySelector('span')
    if (room !== null && choice.checkVisibility() && room.scrollWidth > room.clientWidth && room.clientWidth < 2.5 * parseFloat(getComputedStyle(room).fontSize)) faults.push(name(choice) + ' has ' + room.clientWidth + ' px for its choice')
  }
  for (const day of document.querySelectorAll('input[type=date]')) {
    if (day.checkVisibility() && day.clientWidth < 7 * parseFloat(getComputedStyle(day).fontSize)) faults.push(name(day) + ' has ' + day.clientWidth + ' px for its date')
  }
  for (const floating of document.querySelectorAll('[role=menu], [role=listbox], [role=dialog]')) {
    const { left, right } = floating.getBoundingClientRect()
    if (floating.checkVisibility() && right > left && (left < 0 || right > innerWidth)) faults.push(name(floating) + ' reaches beyond the window')
  }
  for (const target of document.querySelectorAll('a[href], button, input, textarea, [role=option], [role^=menuitem]')) {
    if (!target.checkVisibility() || target.closest('[inert], .sr-only') !== null || target.type === 'hidden') continue
    if (target.tagName === 'A' && getComputedStyle(target).display === 'inline') continue
    const { width, height } = (target.closest('label') ?? target).getBoundingClientRect()
    if (width > 1 && (width < 23.9 || height < 23.9)) faults.push(name(target) + ' has ' + Math.round(width) + ' x ' + Math.round(height) + ' px')
  }
  return faults
})()`

/**
 * Checks that the screen fits a phone and a desk, also with the text twice as large, and that controls are
 * large enough.
 */
export async function expectToFitAnySize(page: Page, screen: string): Promise<void> {
  const before = page.viewportSize() ?? DESK
  const fromHere = before.width === PHONE.width ? SIZES.toReversed() : SIZES
  for (const { text, ...size } of fromHere) {
    await page.setViewportSize(size)
    await page.evaluate(`document.documentElement.style.fontSize = '${text}%'`)
    const where = `${screen} at ${size.width} px, text at ${text} %`
    await expect.soft.poll(() => page.evaluate(FIND_FAULTS), where).toEqual([])
  }
  await page.evaluate("document.documentElement.style.fontSize = ''")
  await page.setViewportSize(before)
}
