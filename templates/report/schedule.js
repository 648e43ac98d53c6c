// Pointing at a value shows it in the map and in the table alike.
for (const element of document.querySelectorAll("[data-life]")) {
  const alike = document.querySelectorAll('[data-life="' + CSS.escape(element.dataset.life) + '"]');
  element.addEventListener("mouseenter", () => alike.forEach((e) => e.classList.add("on")));
  element.addEventListener("mouseleave", () => alike.forEach((e) => e.classList.remove("on")));
}
