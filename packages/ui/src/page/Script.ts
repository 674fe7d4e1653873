/**
 * Script of the page: dropped files, progress, and parts refreshed when the store changes.
 * Everything except the moving progress bar works without the script.
 */
export const script = `"use strict";
const drop = document.querySelector("[data-drop]")
if (drop) {
  const input = drop.querySelector("input[type=file]")
  // the file is read as soon as it is chosen, and the account with it
  const read = () => { if (input.files.length > 0 && input.form.reportValidity()) input.form.requestSubmit() }
  input.form.addEventListener("change", ({ target }) => { if (target === input || target.name === "account") read() })
  // chosen before this script was loaded
  read()
  for (const kind of ["dragover", "dragenter"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over") })
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"))
  drop.addEventListener("drop", (event) => { event.preventDefault(); if (event.dataTransfer.files.length > 0) { input.files = event.dataTransfer.files; read() } })
}
const progress = document.querySelector("[data-events]")
if (progress) {
  const source = new EventSource(progress.dataset.events)
  source.onmessage = (event) => {
    const { text, over } = JSON.parse(event.data)
    progress.querySelector("[data-text]").textContent = text
    if (over) { source.close(); location.reload() }
  }
  source.onerror = () => { source.close(); setTimeout(() => location.reload(), 1500) }
}
const followed = document.querySelector("[data-follow]")
if (followed) {
  let shown = followed.dataset.standing
  let busy = false
  let newest = shown
  const typed = (part) => [...part.querySelectorAll("input[type=text]")].some((input) => input.value !== input.defaultValue)
  const refresh = async (standing) => {
    newest = standing
    if (busy || standing === shown) return
    busy = true
    try {
      const answer = await fetch(location.href)
      const next = new DOMParser().parseFromString(await answer.text(), "text/html")
      for (const part of document.querySelectorAll("[data-live]")) {
        const now = next.querySelector('[data-live="' + part.dataset.live + '"]')
        if (!now || now.innerHTML === part.innerHTML || part.querySelector("input:checked") || typed(part)) continue
        const at = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null
        part.replaceWith(now)
        if (at) now.querySelector('a[href="' + CSS.escape(at) + '"]')?.focus()
      }
      shown = next.querySelector("[data-follow]")?.dataset.standing ?? standing
    } finally { busy = false }
    // a large import is shown at once, and loaded again meanwhile
    if (shown !== newest) setTimeout(() => refresh(newest), 1000)
  }
  // A browser keeps few connections to one server, so a hidden tab closes its connection.
  let source
  const listen = () => {
    if (document.hidden) { source?.close(); source = undefined }
    else if (!source) { source = new EventSource(followed.dataset.follow); source.onmessage = (event) => refresh(event.data) }
  }
  document.addEventListener("visibilitychange", listen)
  listen()
}
// typing in the field of a choice chooses it, and an answered question is marked in the list
document.addEventListener("input", ({ target }) => {
  if (target.type === "text" && target.value !== "") {
    const choice = target.closest(".opt")?.querySelector("input[type=radio]")
    const list = target.closest("[data-question]")?.querySelector("select")
    if (choice) choice.checked = true
    else if (list) list.value = target.dataset.choice
  }
  for (const item of document.querySelectorAll(".asked li")) {
    const isOpen = document.querySelector(item.firstChild.hash).querySelector(":invalid, option[value='']:checked") !== null
    item.classList.toggle("unknown", isOpen)
    item.classList.toggle("good", !isOpen)
  }
})
// The address of a kept import is still valid after the program is restarted.
const address = document.querySelector("[data-address]")
if (address) history.replaceState(null, "", address.dataset.address + location.search)
// a field that is taken is not offered for another column
const once = document.querySelector("[data-once]")
if (once) {
  const selects = [...once.querySelectorAll("select")]
  const offer = () => {
    for (const select of selects) for (const option of select.options) {
      option.disabled = option.value !== "" && option.value !== select.value && selects.some((other) => other !== select && other.value === option.value)
    }
  }
  // the last choice is shown, however long the ones before it take
  let asked = 0
  const show = async () => {
    const mine = ++asked
    const answer = await fetch(once.dataset.previewAt, { method: "POST", body: new URLSearchParams(new FormData(once)) })
    const next = new DOMParser().parseFromString(await answer.text(), "text/html")
    if (mine !== asked) return
    for (const part of document.querySelectorAll("[data-shown]")) {
      const now = next.querySelector('[data-shown="' + part.dataset.shown + '"]')
      if (now) part.innerHTML = now.innerHTML
    }
  }
  once.addEventListener("change", (event) => { offer(); if (event.target.matches("select")) show().catch(() => {}) })
  offer()
}
// an answer for a cause is sent with the cells that were typed beside it
document.addEventListener("formdata", ({ formData, target }) => {
  const cells = document.getElementById("cells")
  if (cells && target.action.endsWith("/remedy"))
    for (const { defaultValue, name, value } of cells.elements) if (name.startsWith("cell.") && value !== defaultValue) formData.append(name, value)
})
// what may be decided later counts down to it; the server holds it to the time
const countDown = () => {
  for (const button of document.querySelectorAll("button[data-from]")) {
    const left = Math.ceil((Number(button.dataset.from) - Date.now()) / 1000)
    const text = button.dataset.text ?? (button.dataset.text = button.textContent)
    button.disabled = left > 0
    button.textContent = left > 0 ? text + ", in " + Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0") : text
  }
}
countDown()
setInterval(countDown, 1000)
// If the program ends, the page reports it. It continues when the same program answers again;
// another program at its address cannot answer.
const away = document.querySelector("[data-away]")
if (away) {
  const encode = (text) => new TextEncoder().encode(text)
  const proofOf = async (challenge) => {
    const key = await crypto.subtle.importKey("raw", encode(away.dataset.away), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
    const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encode(challenge)))
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  }
  const look = async () => {
    if (document.hidden) return
    const challenge = crypto.randomUUID()
    try {
      const answer = await fetch("/alive?challenge=" + challenge, { credentials: "omit" })
      const isOurs = answer.ok && (await answer.text()) === (await proofOf(challenge))
      if (isOurs && !away.hidden) location.reload()
      away.hidden = isOurs
    } catch { away.hidden = false }
  }
  setInterval(look, 3000)
}
document.addEventListener("submit", (event) => {
  const form = event.target
  const tooLarge = form.querySelector("[data-too-large]")
  if (tooLarge) {
    const files = [...form.querySelectorAll("input[type=file]")].flatMap((input) => [...input.files])
    tooLarge.hidden = files.reduce((sum, { size }) => sum + size, 0) <= Number(form.dataset.limit)
    if (!tooLarge.hidden) return event.preventDefault()
  }
  for (const button of form.querySelectorAll("button")) setTimeout(() => { button.disabled = true }, 0)
})
addEventListener("pageshow", (event) => { if (event.persisted) location.reload() })
`

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14517d"/><path d="M9 6h14v20l-3.5-2-3.5 2-3.5-2L9 26z" fill="#fff"/><path d="M12 11h8M12 15h8M12 19h5" stroke="#14517d" stroke-width="1.8"/></svg>`
