-- Neovim 0.7 or newer. Save this file as ~/.config/nvim/plugin/urlscan.lua.
local cmd = { "urlscan", "server" }
local markers = { "urlscan.toml", ".urlscan.toml", "pyproject.toml", ".git" }
-- Keys as in urlscan.toml, in camel case; they take precedence over configuration files.
local settings = { urlscan = {} }

if vim.fn.has("nvim-0.11") == 1 then
  vim.lsp.config("urlscan", { cmd = cmd, root_markers = markers, settings = settings })
  vim.lsp.enable("urlscan")
  return
end

local clients = {}
local function root_of(name)
  local found = ""
  for _, marker in ipairs(markers) do
    local path = vim.fn.findfile(marker, name .. ";")
    path = path ~= "" and path or vim.fn.finddir(marker, name .. ";")
    if path ~= "" then
      found = vim.fn.fnamemodify(path, ":p:h")
      found = marker == ".git" and vim.fn.fnamemodify(found, ":h") or found
      break
    end
  end
  return found ~= "" and found or vim.fn.fnamemodify(name, ":p:h")
end

vim.api.nvim_create_autocmd("FileType", {
  callback = function(args)
    if vim.bo[args.buf].buftype ~= "" then
      return
    end
    local root = root_of(vim.fn.expand("<afile>:p:h"))
    if not clients[root] or not vim.lsp.get_client_by_id(clients[root]) then
      clients[root] = vim.lsp.start_client({ name = "urlscan", cmd = cmd, root_dir = root, settings = settings })
    end
    vim.lsp.buf_attach_client(args.buf, clients[root])
  end,
})
